#include "reports/text/action_text.hh"

#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "reports/text/effect_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Action;
using capture::ActionVerb;

constexpr std::size_t kShownRuleset = 160;  // characters

/// On one line, with single blanks.
std::string ruleset_text(const std::string& ruleset) {
  std::string text;
  for (const char c : ruleset) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (!is_space)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  return text.size() <= kShownRuleset ? text : text.substr(0, kShownRuleset) + " ...";
}

std::string route_text(const Action& action) {
  if (!action.gateway.empty()) return action.address + " by " + action.gateway;
  if (action.value == "none") return "none to " + action.address;
  return action.address + ": " + action.value;
}

std::string idle_text(const Action& action) {
  if (action.story_span.count() == 0) return base::describe(action.span);
  return fmt::format("{} ({} under fast timers)", base::describe(action.story_span),
                     base::describe(action.span));
}

std::string of_program(const Action& action, const std::string& what) {
  return what.empty() ? action.program : action.program + ": " + what;
}

std::string signal_text(const Action& action) {
  std::string what = action.signal == 0 ? "" : base::signal_name(action.signal);
  if (action.value == "main") what += ", to its main process only";
  return of_program(action, what);
}

/// The rule, after its verb.
std::string rule_text(const Action& action) {
  if (!action.fault) return "";
  const std::string text = fault_text(*action.fault);
  return text.substr(word(action.fault->verb).size() + 1);
}

/// "calls 3 to 5"; empty for the first one.
std::string which_calls(const capture::InjectionRule& rule) {
  if (rule.times == 1) return rule.nth == 1 ? "" : fmt::format("call {}", rule.nth);
  return fmt::format("calls {} to {}", rule.nth, std::uint64_t{rule.nth} + rule.times - 1);
}

std::string injection_text(const capture::InjectionRule& rule) {
  std::string text;
  const auto append = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (rule.delay.count() != 0) append("delayed " + base::describe(rule.delay));
  if (rule.error != 0) append("fails with " + base::errno_name(rule.error));
  if (rule.bytes != 0) append(fmt::format("at most {} bytes", rule.bytes));
  append(which_calls(rule));
  if (rule.local && rule.remote)
    append(fmt::format("on {} > {}", rule.local->to_string(), rule.remote->to_string()));
  if (rule.state) append("in " + std::string(name(*rule.state)));
  if (rule.after_bytes != 0) append(fmt::format("after {} bytes", rule.after_bytes));
  return rule.call + " " + text;
}

}  // namespace

std::string detail_text(const Action& action) {
  switch (action.verb) {
    case ActionVerb::power_off:
    case ActionVerb::power_on:
    case ActionVerb::power_cycle:
    case ActionVerb::reboot:
      return "";
    case ActionVerb::crash:
      return "back in " + base::describe(action.span);
    case ActionVerb::unplug:
    case ActionVerb::plug:
      return action.nic;
    case ActionVerb::type:
      return of_program(action, "\"" + printable(action.text) + "\"");
    case ActionVerb::close_stdin:
      return of_program(action, "end of input (Ctrl-D)");
    case ActionVerb::stop:
    case ActionVerb::signal:
    case ActionVerb::kill:
    case ActionVerb::freeze:
    case ActionVerb::thaw:
      return signal_text(action);
    case ActionVerb::sysctl:
      return action.name + " = " + action.value;
    case ActionVerb::nft:
      return ruleset_text(action.text);
    case ActionVerb::route:
      return route_text(action);
    case ActionVerb::mtu:
      return action.fault ? rule_text(action) : action.nic + " " + action.value;
    case ActionVerb::link:
      return action.nic + " " + action.value;
    case ActionVerb::add_address:
      return action.address + " on " + action.nic;
    case ActionVerb::remove_address:
      return action.address;
    case ActionVerb::wait:
      return base::describe(action.span);
    case ActionVerb::idle:
      return idle_text(action);
    case ActionVerb::forge:
      return fmt::format("{}, as from {}", action.text, action.from);
    case ActionVerb::lose:
    case ActionVerb::cut:
    case ActionVerb::hold:
    case ActionVerb::delay:
    case ActionVerb::limit:
    case ActionVerb::duplicate:
    case ActionVerb::reorder:
    case ActionVerb::corrupt:
    case ActionVerb::truncate:
      return rule_text(action);
    case ActionVerb::release:
    case ActionVerb::remove:
    case ActionVerb::inject:
      if (action.injection) return of_program(action, injection_text(*action.injection));
      return action.fault ? fault_text(*action.fault) : "";
  }
  return "";
}

std::string action_text(const Action& action) {
  const std::string detail = detail_text(action);
  return std::string(word(action.verb)) + (detail.empty() ? "" : " " + detail);
}

}  // namespace tcplab::reports
