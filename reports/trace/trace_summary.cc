#include "reports/trace/trace_summary.hh"

#include <cerrno>
#include <fmt/format.h>
#include <string_view>

#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

constexpr std::string_view kClosed = "closed";

/// EAGAIN and EINPROGRESS are how a non-blocking socket works: no errors.
bool is_error(const Call& call) {
  if (call.result != -1) return call.call == "getsockopt" && call.error != 0;
  const std::string name = base::errno_name(call.error);
  return name != "EAGAIN" && name != "EINPROGRESS" && name != "EINTR" && name != "EALREADY";
}

/// Returns whether the result shows that the connection is established. connect(2) on a
/// non-blocking socket does not know it yet; getsockopt SO_ERROR says it, or connect(2) again, or
/// data.
bool shows_connection(const Call& call) {
  if (call.call == "connect") return call.result == 0 || call.error == EISCONN;
  if (call.call == "getsockopt")
    return call.result == 0 && call.error == 0 && call.arguments.starts_with("SO_ERROR");
  const bool has_data = capture::receives_data(call.call) || capture::sends_data(call.call);
  return has_data && call.result > 0;
}

bool closes(const Call& call) { return call.call == "close" || call.call == "close_range"; }

std::string options_of(const capture::TrackedSocket& socket) {
  std::string text;
  for (const capture::TrackedCallPointer& option : socket.options)
    text += (text.empty() ? "" : ", ") + option->call.arguments;
  return text;
}

}  // namespace

void TraceSummary::add(base::Instant at, const Call& call) {
  const capture::CallTracker::Step step = tracker_.note(call, at);
  Connection* connection = connection_of(at, step);
  if (connection == nullptr || call.phase == capture::CallPhase::enter) return;
  connection->last = at;
  const bool accepts = step.socket->opener == step.call && call.call != "connect";
  connection->is_established |= accepts || shows_connection(call);
  if (capture::receives_data(call.call) && call.result == 0) connection->has_ended_stream = true;
  if (is_error(call))
    connection->last_error = fmt::format("{}: {}", call.call, base::errno_name(call.error));
  // After a fork, one process closes its socket, and another one goes on.
  if (!closes(call) && connection->ending.starts_with(kClosed)) connection->ending.clear();
  if (call.call == "shutdown" && call.result == 0)
    connection->ending = fmt::format("{} by process {}", call.arguments, call.pid);
  if (closes(call)) connection->ending = fmt::format("{} by process {}", kClosed, call.pid);
}

/// Returns the connection that the call is about; null if it is about none, or if nobody has seen
/// how it was opened.
TraceSummary::Connection* TraceSummary::connection_of(base::Instant at,
                                                      const capture::CallTracker::Step& step) {
  if (!step.socket || !step.socket->opener) return nullptr;
  const auto [known, is_new] = indices_.try_emplace(step.socket, connections_.size());
  if (is_new)
    connections_.push_back({.socket = step.socket,
                            .first = step.call->has_returned ? step.call->call.entered : at,
                            .last = at});
  return &connections_[known->second];
}

std::string TraceSummary::text(const Connection& connection, base::Instant start) {
  const capture::TrackedSocket& socket = *connection.socket;
  const Call& opener = socket.opener->call;
  const auto local = socket.connection ? socket.connection->source : opener.local;
  const auto remote = socket.peer();
  std::string text = fmt::format("{} > {}\n  {}   process {}: {}({}), at {}\n",
                                 local ? local->to_string() : "not connected",
                                 remote ? remote->to_string() : opener.arguments,
                                 connection.is_established ? "opened" : "tried ", opener.pid,
                                 opener.call, opener.fd, base::describe(connection.first - start));
  if (!socket.options.empty()) text += fmt::format("  options  {}\n", options_of(socket));
  text += fmt::format("  bytes    {} sent, {} received{}\n", socket.sent, socket.received,
                      connection.has_ended_stream ? ", then the peer's end of stream" : "");
  if (!connection.last_error.empty()) text += fmt::format("  error    {}\n", connection.last_error);
  if (socket.under_way)
    text += fmt::format("  blocked  in {}, since {}\n", socket.under_way->call.call,
                        base::describe(socket.under_way->at - start));
  text += fmt::format(
      "  end      {}, last call at {}\n",
      connection.ending.empty() ? "still open when the process ended" : connection.ending,
      base::describe(connection.last - start));
  return text;
}

std::string TraceSummary::text(base::Instant start) const {
  std::string all;
  for (const Connection& one : connections_) all += text(one, start);
  return all;
}

}  // namespace tcplab::reports
