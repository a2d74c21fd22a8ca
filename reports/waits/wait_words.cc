#include "reports/waits/wait_words.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/call_names.hh"
#include "capture/follow/call_tracker.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

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

WaitOutcome end_of_poll(const Call& call) {
  if (call.result == 0) return {"timeout", WaitOutcomeKind::nothing};
  int events = call.revents;
  for (const capture::ReadyDescriptor& ready : call.ready) events |= ready.events;
  if (events == 0) return {call.stdin_revents != 0 ? "standard input" : "another descriptor"};
  return {capture::poll_events(events), (events & *capture::parse_poll_events("ERR")) != 0
                                            ? WaitOutcomeKind::error
                                            : WaitOutcomeKind::came};
}

/// The word for a call that has succeeded.
std::string success_of(const Call& call) {
  if (call.call == "connect") return "connected";
  if (capture::is_of_family(call.call, "accept")) return "accepted";
  if (capture::receives_data(call.call) && !capture::writes_octets(call))
    return call.result == 0 ? "end of stream" : "data";
  return capture::sends_data(call.call) && call.result > 0 ? "sent" : "returned";
}

std::string both_ends(const std::optional<base::Endpoint>& local, const base::Endpoint& remote) {
  return fmt::format("{} > {}", local ? local->to_string() : "", remote.to_string());
}

}  // namespace

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

std::string peer_of(const TraceWait& wait) {
  if (capture::is_of_family(wait.call.call, "accept")) return "";
  if (wait.call.remote) return wait.call.remote->to_string();
  std::string text;
  for (const capture::FlowKey& key : wait.connections)
    text += (text.empty() ? "" : ", ") + key.destination.to_string();
  return text;
}

std::string connection_of(const TraceWait& wait) {
  const Call& call = wait.call;
  if (capture::is_of_family(call.call, "accept"))
    return call.local ? fmt::format("listens on port {}", call.local->port) : "a listening socket";
  if (call.remote) return both_ends(call.local, *call.remote);
  std::string text;
  for (const capture::FlowKey& key : wait.connections)
    text += (text.empty() ? "" : ", ") + both_ends(key.source, key.destination);
  return text;
}

WaitOutcome end_of(const TraceWait& wait) {
  const Call& call = wait.call;
  if (!wait.has_ended()) return {"not ended", WaitOutcomeKind::nothing};
  if (call.result == -1) return {base::errno_name(call.error), WaitOutcomeKind::error};
  if (capture::waits_for_readiness(call.call)) return end_of_poll(call);
  return {success_of(call)};
}

}  // namespace tcplab::reports
