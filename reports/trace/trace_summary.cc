#include "reports/trace/trace_summary.hh"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::reports {

namespace {

using capture::Call;

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

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

void TraceSummary::add(base::Instant at, const Call& call) {
  const Descriptor descriptor{call.pid, call.fd};
  if (call.phase != capture::CallPhase::leave) return waits(at, call);
  if (call.call == "socket") {
    current_.erase({call.pid, static_cast<int>(call.result)});
    early_options_.erase({call.pid, static_cast<int>(call.result)});
    return;
  }
  if (call.call == "connect" || call.call.starts_with("accept")) opens(at, call);
  const auto found = current_.find(descriptor);
  if (found == current_.end()) {
    if (call.call == "setsockopt" && call.result == 0)
      early_options_[descriptor].push_back(call.arguments);
    return;
  }
  Connection& connection = connections_[found->second];
  connection.last = at;
  connection.waits_in.clear();
  moves(call, connection);
  ends(call, connection);
  if (closes(call)) current_.erase(found);
}

/// A call that is entered, and blocks.
void TraceSummary::waits(base::Instant at, const Call& call) {
  if (call.call == "connect" && !current_.contains({call.pid, call.fd})) opens(at, call);
  const auto found = current_.find({call.pid, call.fd});
  if (found == current_.end()) return;
  connections_[found->second].waits_in = call.call;
  connections_[found->second].waits_since = at;
}

void TraceSummary::opens(base::Instant at, const Call& call) {
  const bool accepts = call.call != "connect";
  if (accepts && call.result < 0) return;
  const Descriptor descriptor{call.pid, accepts ? static_cast<int>(call.result) : call.fd};
  const auto known = current_.find(descriptor);
  const std::string name =
      fmt::format("{} > {}", call.local ? call.local->to_string() : "not connected",
                  call.remote ? call.remote->to_string() : call.arguments);
  if (!accepts && known != current_.end()) {  // connect(2) again, to learn how it went
    connections_[known->second].name = name;
    connections_[known->second].is_established |= shows_connection(call);
    return;
  }
  const bool has_returned = call.phase == capture::CallPhase::leave;
  current_[descriptor] = connections_.size();
  connections_.push_back(
      {.opening = fmt::format("process {}: {}({})", call.pid, call.call, call.fd),
       .is_established = has_returned && (accepts || call.result == 0),
       .first = has_returned ? call.entered : at,
       .last = at,
       .options = std::move(early_options_[descriptor]),
       .last_error = "",
       .ending = "",
       .waits_in = "",
       .name = name});
  early_options_.erase(descriptor);
}

void TraceSummary::moves(const Call& call, Connection& connection) {
  const auto bytes = call.result > 0 ? static_cast<std::uint64_t>(call.result) : 0;
  if (capture::receives_data(call.call)) connection.received += bytes;
  if (capture::sends_data(call.call)) connection.sent += bytes;
  connection.is_established |= shows_connection(call);
  if (capture::receives_data(call.call) && call.result == 0) connection.has_ended_stream = true;
  if (call.call == "setsockopt" && call.result == 0) connection.options.push_back(call.arguments);
}

void TraceSummary::ends(const Call& call, Connection& connection) {
  if (is_error(call))
    connection.last_error = fmt::format("{}: {}", call.call, base::errno_name(call.error));
  if (call.call == "shutdown" && call.result == 0)
    connection.ending = fmt::format("{} by process {}", call.arguments, call.pid);
  if (closes(call)) connection.ending = fmt::format("closed by process {}", call.pid);
}

std::string TraceSummary::text(base::Instant start) const {
  std::string text;
  for (const Connection& one : connections_) {
    text +=
        fmt::format("{}\n  {}   {}, at {}\n", one.name, one.is_established ? "opened" : "tried ",
                    one.opening, base::describe(one.first - start));
    if (!one.options.empty()) text += fmt::format("  options  {}\n", joined(one.options));
    text += fmt::format("  bytes    {} sent, {} received{}\n", one.sent, one.received,
                        one.has_ended_stream ? ", then the peer's end of stream" : "");
    if (!one.last_error.empty()) text += fmt::format("  error    {}\n", one.last_error);
    if (!one.waits_in.empty())
      text += fmt::format("  blocked  in {}, since {}\n", one.waits_in,
                          base::describe(one.waits_since - start));
    text += fmt::format("  end      {}, last call at {}\n",
                        one.ending.empty() ? "still open when the process ended" : one.ending,
                        base::describe(one.last - start));
  }
  return text;
}

}  // namespace tcplab::reports
