// Which connection a descriptor of a program was, and when. A call event names its connection only
// if the tracer saw it, and dnc names it only when it makes one.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "capture/follow/call_tracker.hh"
#include "lab/watch/connection_key.hh"

namespace tcplab::lab {

class DescriptorHistory {
public:
  /// Learns which connections descriptors are.
  void note(const capture::Call& call, base::Instant at);

  /// Returns the connection that the descriptor was then; empty if it is unknown. A child process
  /// has the descriptors of its parent.
  std::optional<ConnectionKey> find(int process, int descriptor, base::Instant at) const;

  /// Returns the calls of the program on this host that have not returned, in any order.
  std::vector<capture::TrackedCallPointer> under_way(const std::string& host) const {
    return tracker_.under_way(host);
  }

private:
  struct Change {
    int process;
    base::Instant at;
    ConnectionKey connection;
  };

  capture::CallTracker tracker_;
  std::map<int, std::vector<Change>> changes_;  // by descriptor
};

/// True if the call is about that connection, or if its result for `descriptor` is: one of those
/// that a poll(2) reports.
bool is_on(const ConnectionKey& connection, const capture::Event& event, int descriptor,
           const DescriptorHistory& descriptors);

}  // namespace tcplab::lab
