// What a traced program did with each of its TCP connections: who opened it, which options it set,
// how many bytes went each way, and how it ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::reports {

class TraceSummary {
public:
  void add(base::Instant at, const capture::Call& call);

  /// Returns a few lines for each connection, in the order in which they were opened; empty if
  /// there were none. Times count from `start`.
  std::string text(base::Instant start) const;

private:
  struct Connection {
    std::string opening;          // "process 4711: connect(3)"
    bool is_established = false;  // as far as the calls show
    base::Instant first{};
    base::Instant last{};
    std::vector<std::string> options;
    std::uint64_t received = 0;  // bytes
    std::uint64_t sent = 0;
    bool has_ended_stream = false;  // the peer's end-of-stream was read
    std::string last_error;         // "recvfrom: ECONNRESET"
    std::string ending;             // "closed by process 4711"
    std::string waits_in;           // "recvfrom"; empty if it is in no call
    base::Instant waits_since{};
    std::string name;  // "10.0.0.1:40000 > 10.0.0.2:8080"
  };
  using Descriptor = std::pair<int, int>;  // process, file descriptor

  void waits(base::Instant at, const capture::Call& call);
  void opens(base::Instant at, const capture::Call& call);
  void moves(const capture::Call& call, Connection& connection);
  void ends(const capture::Call& call, Connection& connection);

  std::vector<Connection> connections_;
  std::map<Descriptor, std::size_t> current_;                     // their index in connections_
  std::map<Descriptor, std::vector<std::string>> early_options_;  // set before connect(2)
};

}  // namespace tcplab::reports
