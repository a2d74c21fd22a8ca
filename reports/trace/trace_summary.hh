// What a traced program did with each of its TCP connections: who opened it, which options it set,
// how many bytes went each way, and how it ended.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capture/follow/call_tracker.hh"

namespace tcplab::reports {

class TraceSummary {
public:
  void add(base::Instant at, const capture::Call& call);

  /// Returns a few lines for each connection, in the order in which they were opened; empty if
  /// there were none. Times count from `start`.
  std::string text(base::Instant start) const;

private:
  struct Connection {
    capture::TrackedSocketPointer socket;
    bool is_established = false;  // as far as the calls show
    base::Instant first{};
    base::Instant last{};
    bool has_ended_stream = false;  // the peer's end-of-stream was read
    std::string last_error{};       // "recvfrom: ECONNRESET"
    std::string ending{};           // "closed by process 4711"
  };

  Connection* connection_of(base::Instant at, const capture::CallTracker::Step& step);
  static std::string text(const Connection& connection, base::Instant start);

  capture::CallTracker tracker_;
  std::vector<Connection> connections_;
  std::map<capture::TrackedSocketPointer, std::size_t> indices_;  // in connections_
};

}  // namespace tcplab::reports
