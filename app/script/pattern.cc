#include "app/script/pattern.hh"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "base/error.hh"
#include "base/nearest.hh"
#include "capture/event/call_names.hh"
#include "capture/event/event_words.hh"
#include "dnc/calls/call_names.hh"
#include "reports/text/call_text.hh"
#include "reports/text/effect_text.hh"
#include "reports/text/kernel_text.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

using capture::Call;
using capture::CallPhase;
using capture::Event;
using capture::Fate;
using capture::Packet;
using capture::Program;
using capture::ProgramChange;
using capture::State;

namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

/// Keeps the beginning and the end of a long text.
std::string shortened(const std::string& text) {
  constexpr std::size_t kShown = 32;  // on each side
  if (text.size() <= 3 * kShown) return reports::printable(text);
  return reports::printable(text.substr(0, kShown)) + " ... " +
         reports::printable(text.substr(text.size() - kShown));
}

std::string ending(const Program& program) {
  switch (program.change) {
    case ProgramChange::started:
      return "started";
    case ProgramChange::exited:
      return "exited with status " + std::to_string(program.code);
    case ProgramChange::killed:
      return "killed by " + base::signal_name(program.code);
    case ProgramChange::wrote:
      return "wrote " + quoted(shortened(program.text));
    case ProgramChange::calls_unseen:
      return "makes calls that are not seen: " + program.text;
  }
  return "";
}

std::string value_text(const capture::StoredValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  return "";
}

std::string describe_call(const Call& call) {
  const bool is_option = call.call.ends_with("sockopt") || call.call == "ioctl";
  std::string text = call.call + "(";
  if (call.fd >= 0) text += std::to_string(call.fd);
  if (is_option) text += ", " + call.arguments;
  text += ")";
  if (call.phase == CallPhase::enter) return text + " entered";
  text += " = " + std::to_string(call.result);
  if (call.error != 0) text += " " + base::errno_name(call.error);
  if (const std::string stored = value_text(call.value); !stored.empty()) text += " " + stored;
  if (call.call == "poll" && call.result > 0) text += " " + capture::poll_events(call.revents);
  if (!call.data.empty()) text += " " + quoted(call.data);
  const std::string injected = reports::injection_text(call).text();
  return injected.empty() ? text : text + " " + injected;
}

std::string describe_packet(const Packet& packet) {
  std::string text = packet.from + " > " + (packet.to.empty() ? "all" : packet.to) + " " +
                     packet.protocol + " " + packet.summary;
  switch (packet.fate) {
    case Fate::delivered:
      return text;
    case Fate::lost:
      return text + " (" + reports::fate_text(packet.fate, packet.effects, packet.to) + ")";
    case Fate::held:
      return text + " (held)";
    case Fate::delayed:
      return text + " (delayed)";
    case Fate::forged:
      return text + " (forged)";
  }
  return text;
}

}  // namespace

std::string describe(const Event& event) {
  if (const auto* call = std::get_if<Call>(&event.body)) return describe_call(*call);
  if (const auto* packet = std::get_if<Packet>(&event.body)) return describe_packet(*packet);
  if (const auto* program = std::get_if<Program>(&event.body))
    return program->host + "'s " + program->program + " " + ending(*program);
  if (const auto* state = std::get_if<State>(&event.body))
    return state->host + " " + std::string(name(state->from)) + " -> " +
           std::string(name(state->to));
  if (const auto* kernel = std::get_if<capture::Kernel>(&event.body))
    return kernel->host + "'s " + reports::kernel_text(*kernel).text();
  return "";
}

std::vector<std::string> call_names() {
  std::set<std::string> names(dnc::kCallNames.begin(), dnc::kCallNames.end());
  names.insert(capture::kReceivingCalls.begin(), capture::kReceivingCalls.end());
  names.insert(capture::kSendingCalls.begin(), capture::kSendingCalls.end());
  names.insert(capture::kPollingCalls.begin(), capture::kPollingCalls.end());
  names.insert(capture::kAcceptingCalls.begin(), capture::kAcceptingCalls.end());
  names.insert({"dup2", "dup3", "epoll_ctl"});
  return {names.begin(), names.end()};
}

const std::string& known_call(const std::string& name) {
  const std::vector<std::string> names = call_names();
  if (std::ranges::binary_search(names, name)) return name;
  throw base::UsageError("no call \"" + name + "\" is recorded; " +
                         base::nearest_words({names.begin(), names.end()}, name));
}

namespace {

std::vector<std::string> words_of(const std::string& text) {
  constexpr const char* kBetween = " ,|={}";
  std::vector<std::string> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(kBetween, begin)) != text.npos;) {
    const std::size_t end = text.find_first_of(kBetween, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = std::min(end, text.size());
  }
  return words;
}

}  // namespace

bool has_argument(const std::string& arguments, const std::string& wanted) {
  const std::vector<std::string> words = words_of(arguments);
  const std::vector<std::string> sought = words_of(wanted);
  return !sought.empty() &&
         std::search(words.begin(), words.end(), sought.begin(), sought.end()) != words.end();
}

bool CallPattern::arguments_match(const Call& seen) const {
  return std::ranges::all_of(
      arguments, [&](const std::string& wanted) { return has_argument(seen.arguments, wanted); });
}

bool CallPattern::values_match(const Event& event, const Call& seen) const {
  return (!result || *result == seen.result) && (!error || *error == seen.error) &&
         (!revents || *revents == seen.revents) && wakes_with(event, seen) &&
         (!data || *data == seen.data) &&
         (std::holds_alternative<std::monostate>(value) || value == seen.value);
}

bool CallPattern::wakes_with(const Event& event, const Call& seen) const {
  if (has_waited && seen.arguments.ends_with("timeout 0 ms")) return false;
  if (!woken_by) return true;
  if ((seen.revents & *woken_by) == *woken_by) return true;
  return std::ranges::any_of(seen.ready, [&](const capture::ReadyDescriptor& ready) {
    return (ready.events & *woken_by) == *woken_by &&
           (!connection.has || connection.has(event, ready.fd));
  });
}

bool CallPattern::is_on_connection(const Event& event, const Call& seen) const {
  if (!connection.has || seen.ready.empty())
    return !connection.has || connection.has(event, seen.fd);
  return std::ranges::any_of(seen.ready,
                             [&](const auto& ready) { return connection.has(event, ready.fd); });
}

/// Of a traced program only TCP sockets are recorded, whatever their descriptor.
bool CallPattern::is_of_that_stream(const Call& seen) const {
  if (is_traced) return !standard_stream;
  const bool is_standard = (seen.call == "read" && seen.fd == STDIN_FILENO) ||
                           (seen.call == "write" && seen.fd == STDOUT_FILENO);
  return is_standard ? seen.fd == standard_stream : !standard_stream;
}

Match CallPattern::look(const Event& event) const {
  const auto* seen = std::get_if<Call>(&event.body);
  if (seen == nullptr || seen->host != host || seen->program != program) return Match::no;
  const bool is_wanted = is_traced ? capture::is_of_family(seen->call, call) : seen->call == call;
  if (!is_wanted || (seen->phase == CallPhase::enter) != entered) return Match::no;
  if (!is_of_that_stream(*seen) || !is_on_connection(event, *seen)) return Match::no;
  if (!arguments_match(*seen)) return Match::near;
  return values_match(event, *seen) ? Match::yes : Match::near;
}

std::string CallPattern::describe() const {
  std::string text = host + "'s " + program;
  if (connection.has) text += " on " + connection.name;
  text += ": " + call;
  if (standard_stream) text += *standard_stream == STDIN_FILENO ? " of stdin" : " to stdout";
  for (const std::string& argument : arguments) text += " " + argument;
  if (entered) return text + " is entered";
  text += " returns";
  if (error && call != "getsockopt") return text + " -1 " + base::errno_name(*error);
  if (result) text += " " + std::to_string(*result);
  if (error && call == "getsockopt") text += " with the value " + base::errno_name(*error);
  if (const std::string stored = value_text(value); !stored.empty())
    text += " with the value " + stored;
  if (woken_by) text += " with at least " + capture::poll_events(*woken_by);
  if (revents) text += " with revents " + capture::poll_events(*revents);
  if (data) text += " " + quoted(*data);
  return text;
}

Match StatePattern::look(const Event& event) const {
  const auto* seen = std::get_if<State>(&event.body);
  if (seen == nullptr || seen->host != host || !owns({seen->local, seen->remote})) return Match::no;
  const bool about_listener = seen->remote.port == 0;
  if (about_listener && to != capture::TcpState::listen) return Match::no;
  return !to || seen->to == *to ? Match::yes : Match::near;
}

std::string StatePattern::describe() const {
  return subject + (to ? " in state " + std::string(name(*to)) : " changes its state");
}

Match PacketPattern::look(const Event& event) const {
  const auto* seen = std::get_if<Packet>(&event.body);
  if (seen == nullptr) return Match::no;
  if (fate && *fate != seen->fate) return Match::no;
  const bool is_answer = seen->fate == Fate::delivered || seen->fate == Fate::lost;
  if (!fate && !is_answer) return Match::no;
  const lab::KeptFrame* frame = find_frame(seen->frame);
  if (frame == nullptr) return Match::no;
  const lab::FrameView view{seen->from, seen->to, frame->bytes, {}, &frame->facts};
  return filter.matches(view) ? Match::yes : Match::near;
}

std::string PacketPattern::describe() const {
  std::string text = "a packet " + filter.describe();
  if (fate && *fate != Fate::delivered) text += ", " + std::string(capture::word(*fate));
  return text;
}

Match ProgramPattern::look(const Event& event) const {
  const auto* seen = std::get_if<Program>(&event.body);
  if (seen == nullptr || seen->host != host || seen->program != program) return Match::no;
  const bool wrote = change == ProgramChange::wrote;
  if (wrote != (seen->change == ProgramChange::wrote) || seen->change == ProgramChange::started)
    return Match::no;
  const bool ended = seen->change == ProgramChange::exited || seen->change == ProgramChange::killed;
  if (any_end) return ended ? Match::yes : Match::no;
  if (seen->change != change || (code && *code != seen->code)) return Match::near;
  return !text || seen->text.find(*text) != std::string::npos ? Match::yes : Match::near;
}

std::string ProgramPattern::describe() const {
  std::string what = host + "'s " + program;
  switch (change) {
    case ProgramChange::started:
      return what + " starts";
    case ProgramChange::exited:
      if (any_end) return what + " ends";
      return what + " exits" + (code ? " with status " + std::to_string(*code) : "");
    case ProgramChange::killed:
      return what + " is killed" + (code ? " by " + base::signal_name(*code) : "");
    case ProgramChange::wrote:
      return what + " writes " + quoted(text.value_or(""));
    case ProgramChange::calls_unseen:
      return what + " makes calls that are not seen";
  }
  return what;
}

Match KernelPattern::look(const Event& event) const {
  const auto* seen = std::get_if<capture::Kernel>(&event.body);
  if (seen == nullptr || seen->host != host || seen->what != what) return Match::no;
  if (!owns({seen->local, seen->remote})) return Match::no;
  const std::string given = seen->error != 0 ? base::errno_name(seen->error) : seen->reason;
  return !reason || *reason == given ? Match::yes : Match::near;
}

std::string KernelPattern::describe() const {
  const std::string words = host + "'s kernel reports " + std::string(capture::word(what));
  return reason ? words + ", " + *reason : words;
}

}  // namespace tcplab::app
