#include "reports/trace/folded_waits.hh"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "base/error.hh"
#include "capture/event/call_names.hh"
#include "capture/follow/call_tracker.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

/// A frame must not have the separator. stackcollapse-perf.pl writes a colon, too.
std::string escaped(std::string_view frame) {
  std::string text = printable(frame);
  std::ranges::replace(text, ';', ':');
  return text;
}

/// The place of the address in "connect+0x1e (libc.so.6)"; npos if there is none.
std::size_t find_offset(std::string_view frame) {
  const std::size_t at = frame.rfind("+0x");
  if (at == std::string_view::npos) return at;
  const std::size_t end =
      std::min(frame.find_first_not_of("0123456789abcdef", at + std::string_view("+0x").size()),
               frame.size());
  const bool is_last = end == frame.size() || frame.substr(end).starts_with(" (");
  return is_last ? at : std::string_view::npos;
}

/// A frame of StackNames without addresses, so that the same function is the same frame. Without a
/// name, the module is one, as in perf-script(1): "[libc.so.6]".
std::string without_address(std::string_view frame) {
  const std::size_t module = frame.find(" (");
  if (frame.starts_with("0x")) {
    if (module == std::string_view::npos) return "[unknown]";
    return fmt::format("[{}]", frame.substr(module + 2, frame.rfind(')') - module - 2));
  }
  const std::size_t offset = find_offset(frame);
  if (offset == std::string_view::npos) return std::string(frame);
  const std::size_t rest = frame.find(" (", offset);
  std::string name(frame.substr(0, offset));
  return rest == std::string_view::npos ? name : name.append(frame.substr(rest));
}

/// "recvfrom 10.0.0.2:5432". Of accept(2) the name alone: each client has another port.
std::string call_of(const TraceWait& wait) {
  const Call& call = wait.call;
  if (capture::is_of_family(call.call, "accept")) return call.call;
  if (call.remote) return fmt::format("{} {}", call.call, call.remote->to_string());
  std::string text = call.call;
  for (const capture::FlowKey& key : wait.connections)
    text += (text == call.call ? " " : ", ") + key.destination.to_string();
  return text;
}

std::string end_of_poll(const Call& call) {
  if (call.result == 0) return "timeout";
  int events = call.revents;
  for (const capture::ReadyDescriptor& ready : call.ready) events |= ready.events;
  return events == 0 ? "another descriptor" : capture::poll_events(events);
}

std::string end_of(const TraceWait& wait) {
  const Call& call = wait.call;
  if (!wait.has_ended()) return "not ended";
  if (call.result == -1) return base::errno_name(call.error);
  if (capture::waits_for_readiness(call.call)) return end_of_poll(call);
  if (call.call == "connect") return "connected";
  if (capture::is_of_family(call.call, "accept")) return "accepted";
  if (capture::receives_data(call.call) && !capture::writes_octets(call))
    return call.result == 0 ? "end of stream" : "data";
  return capture::sends_data(call.call) && call.result > 0 ? "sent" : "returned";
}

}  // namespace

void FoldedWaits::add(const TraceWait& wait) {
  std::string stack = escaped(wait.process);
  for (auto frame = wait.call.stack.rbegin(); frame != wait.call.stack.rend(); ++frame)
    stack += ";" + escaped(without_address(*frame));
  if (wait.call.stack.empty()) stack += ";[no stack]";
  waits_[fmt::format("{};{};{}", stack, call_of(wait), end_of(wait))] += wait.duration();
}

std::string FoldedWaits::text() const {
  std::string text;
  for (const auto& [stack, time] : waits_)
    text +=
        fmt::format("{} {}\n", stack, std::chrono::round<std::chrono::milliseconds>(time).count());
  return text;
}

}  // namespace tcplab::reports
