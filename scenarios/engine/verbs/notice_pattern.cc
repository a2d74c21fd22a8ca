#include "scenarios/engine/verbs/notice_pattern.hh"

#include <cerrno>

#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::engine {

namespace {

using capture::Call;

bool is_usual(int error) {
  return error == EAGAIN || error == EINPROGRESS || error == EALREADY || error == EINTR;
}

/// A wait that was meant to end at once tells nothing.
bool has_waited(const Call& call) { return !call.arguments.ends_with("timeout 0 ms"); }

bool asks_for_bytes(const Call& call) {
  return !call.arguments.starts_with("0 bytes") && !call.arguments.empty();
}

bool is_end(const capture::Program& program) {
  return program.change == capture::ProgramChange::exited ||
         program.change == capture::ProgramChange::killed;
}

}  // namespace

std::string notice_of(const Call& call) {
  if (call.phase != capture::CallPhase::leave) return "";
  if (call.result == -1)
    return is_usual(call.error) ? "" : call.call + " fails with " + base::errno_name(call.error);
  if (call.call == "getsockopt" && call.error != 0)
    return "SO_ERROR gives " + base::errno_name(call.error);
  if (call.result != 0) return "";
  if (capture::receives_data(call.call) && asks_for_bytes(call)) return "end of stream";
  if (capture::waits_for_readiness(call.call) && has_waited(call))
    return call.call + " times out: the program's own timer";
  return "";
}

Match NoticePattern::look(const capture::Event& event) const {
  if (const auto* change = std::get_if<capture::Program>(&event.body))
    return change->host == host && change->program == program && is_end(*change) ? Match::yes
                                                                                 : Match::no;
  const auto* call = std::get_if<Call>(&event.body);
  if (call == nullptr || call->host != host || call->program != program) return Match::no;
  if (notice_of(*call).empty()) return Match::no;
  const bool is_timer = capture::waits_for_readiness(call->call) && call->result == 0;
  return !connection.has || is_timer || connection.has(event, call->fd) ? Match::yes : Match::no;
}

std::string NoticePattern::describe() const {
  return host + "'s " + program + (connection.has ? " on " + connection.name : "") +
         " notices: a call fails, the stream ends, its own timer fires, or it ends";
}

}  // namespace tcplab::engine
