// Finds the call that caused a segment: the write of its octets, or the close of the stream. It
// compares octets, not times, because a kernel may send data long after the write(2). Takes calls
// in the order of time; bounded memory.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capture/follow/call_tracker.hh"

namespace tcplab::reports {

class CallLedger {
public:
  /// Notes a call event. Returns its call, the same for both phases.
  capture::TrackedCallPointer note(const capture::Call& call, capture::Instant at);
  /// Forgets the descriptors of a program that has ended.
  void ended(const capture::Program& program) { tracker_.ended(program); }
  /// Forgets everything of a host that lost its power.
  void lost_power(const std::string& host) { tracker_.lost_power(host); }

  /// Returns the connect(2) that sent the host's new SYN; null if several may have. Costs the same
  /// however many connections there are.
  capture::TrackedCallPointer connect_of(const std::string& host, const capture::FlowKey& key);
  /// Returns the calls that wrote these octets of the stream. The first octet is 0, modulo 2^32.
  std::vector<capture::TrackedCallPointer> writers_of(const std::string& host,
                                                      const capture::FlowKey& key,
                                                      std::uint32_t offset, std::uint32_t length);
  /// Returns the last close(2) or shutdown(2) on the connection; null if none.
  capture::TrackedCallPointer closer_of(const std::string& host, const capture::FlowKey& key) const;
  /// Returns the call on the connection's descriptor that has not returned yet; null if none.
  capture::TrackedCallPointer under_way(const std::string& host, const capture::FlowKey& key) const;
  /// Returns the program that has the connection; empty if unknown.
  std::string owner_of(const std::string& host, const capture::FlowKey& key) const;
  /// Returns how many octets were read before that call returned, modulo 2^32.
  std::uint32_t read_before(const capture::Call& call) const;
  /// Returns the connection of a call's descriptor; null if unknown.
  const capture::FlowKey* flow_of(const capture::Call& call) const;

private:
  struct Written {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    capture::TrackedCallPointer by;
  };
  /// What the ledger remembers of a socket.
  struct Account {
    std::uint32_t written = 0;     // octets, modulo 2^32
    std::deque<Written> writes{};  // the last ones
    bool has_syn = false;          // connect_of() has returned its connect(2)
  };
  using SocketPointer = capture::TrackedSocketPointer;
  /// Host, local endpoint if it is known, remote endpoint: what a SYN can be compared with.
  using Attempt = std::tuple<std::string, std::optional<base::Endpoint>, base::Endpoint>;

  Account& account_of(const SocketPointer& socket);
  void attempts(const SocketPointer& socket);
  std::vector<SocketPointer> attempts_at(const Attempt& attempt);

  capture::CallTracker tracker_;
  std::map<std::weak_ptr<capture::TrackedSocket>, Account, std::owner_less<>> accounts_;
  std::size_t most_accounts_ = 1024;  // then the old ones are forgotten
  std::map<Attempt, std::vector<std::weak_ptr<capture::TrackedSocket>>> attempts_;  // not tied yet
};

}  // namespace tcplab::reports
