#include "capture/calls/watch_request.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "base/error.hh"
#include "capture/calls/message_words.hh"
#include "capture/event/event_json.hh"

namespace tcplab::capture {

namespace {

constexpr std::string_view kTrace = "trace";
constexpr std::string_view kInject = "inject";
constexpr std::string_view kRemove = "remove";
constexpr std::string_view kAsk = "ask";
constexpr std::string_view kTell = "tell";
constexpr std::string_view kImpose = "impose";
// Before each word of a request to trace: what the word is.
constexpr std::string_view kStack = "stack=";
constexpr std::string_view kAbortOn = "abort=";
constexpr std::string_view kProbe = "probe=";
constexpr std::string_view kCore = "core=";  // the rest of the text: a path may have spaces

/// Rules have their JSON as a member of an action (docs/events.md).
std::string rule_text(const InjectionRule& rule) {
  return to_json_line({.body = Action{.verb = ActionVerb::inject, .injection = rule}});
}

InjectionRule parse_rule(std::string_view text) {
  const Event event = parse_event(text);
  const auto* action = std::get_if<Action>(&event.body);
  if (action == nullptr || !action->injection)
    throw base::UsageError("a request to a tracer has no rule");
  return *action->injection;
}

TraceProgram parse_trace(MessageWords& words) {
  TraceProgram request{.process = words.number<pid_t>()};
  while (!words.rest().empty()) {
    if (words.rest().starts_with(kCore)) {
      request.core = words.rest().substr(kCore.size());
      break;
    }
    const std::string_view word = words.next();
    if (word.starts_with(kAbortOn))
      request.abort_on.emplace_back(word.substr(kAbortOn.size()));
    else if (word.starts_with(kProbe))
      request.probes.emplace_back(word.substr(kProbe.size()));
    else if (word.starts_with(kStack))
      request.stacks.emplace_back(word.substr(kStack.size()));
    else
      throw base::UsageError("a request to a tracer has an unknown word");
  }
  return request;
}

ImposeOptions parse_options(MessageWords& words) {
  ImposeOptions request;
  while (!words.rest().empty()) {
    const base::SocketOption* option = base::find_socket_option(words.next());
    if (option == nullptr) throw base::UsageError("a request to a tracer has no socket option");
    request.options.push_back({option, words.number<int>()});
  }
  return request;
}

struct RequestText {
  std::string operator()(const TraceProgram& request) const {
    std::string text = fmt::format("{} {}", kTrace, request.process);
    for (const std::string& stack : request.stacks) text += fmt::format(" {}{}", kStack, stack);
    for (const std::string& error : request.abort_on) text += fmt::format(" {}{}", kAbortOn, error);
    for (const std::string& probe : request.probes) text += fmt::format(" {}{}", kProbe, probe);
    if (!request.core.empty()) text += fmt::format(" {}{}", kCore, request.core);
    return text;
  }
  std::string operator()(const AddInjection& request) const {
    return fmt::format("{} {} {} {}", kInject, request.process, request.id,
                       rule_text(request.rule));
  }
  std::string operator()(const RemoveInjection& request) const {
    return fmt::format("{} {}", kRemove, request.id);
  }
  std::string operator()(const AskInjection& request) const {
    return fmt::format("{} {}", kAsk, request.id);
  }
  std::string operator()(const ImposeOptions& request) const {
    std::string text(kImpose);
    for (const ImposedOption& one : request.options)
      text += fmt::format(" {} {}", one.option->name, one.value);
    return text;
  }
  std::string operator()(const TellCalls& request) const {
    return fmt::format("{} {}", kTell, request.process);
  }
};

}  // namespace

std::string to_text(const WatchRequest& request) { return std::visit(RequestText{}, request); }

WatchRequest parse_watch_request(const std::string& text) {
  MessageWords words(text);
  const std::string_view verb = words.next();
  if (verb == kTrace) return parse_trace(words);
  if (verb == kRemove) return RemoveInjection{words.number<InjectionId>()};
  if (verb == kAsk) return AskInjection{words.number<InjectionId>()};
  if (verb == kImpose) return parse_options(words);
  if (verb == kTell) return TellCalls{words.number<pid_t>()};
  if (verb != kInject) throw base::UsageError("a tracer does not know the request " + text);
  AddInjection request{.process = words.number<pid_t>(), .id = {}, .rule = {}};
  request.id = words.number<InjectionId>();
  request.rule = parse_rule(words.rest());
  return request;
}

}  // namespace tcplab::capture
