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
#include <utility>
#include <vector>

#include "capture/decode/flow_key.hh"
#include "capture/event/event.hh"

namespace tcplab::reports {

/// A call, from its entry on. `call` is complete once it has returned.
struct LedgerCall {
  capture::Call call;
  bool has_returned = false;
};
using LedgerCallPointer = std::shared_ptr<LedgerCall>;

class CallLedger {
public:
  /// Notes a call event. Returns its call, the same for both phases.
  LedgerCallPointer note(const capture::Call& call);
  /// Forgets the descriptors of a program that has ended.
  void ended(const capture::Program& program);
  /// Forgets everything of a host that lost its power.
  void lost_power(const std::string& host);

  /// Returns the connect(2) that sent the host's new SYN; null if several may have. Costs the same
  /// however many connections there are.
  LedgerCallPointer connect_of(const std::string& host, const capture::FlowKey& key);
  /// Returns the calls that wrote these octets of the stream. The first octet is 0, modulo 2^32.
  std::vector<LedgerCallPointer> writers_of(const std::string& host, const capture::FlowKey& key,
                                            std::uint32_t offset, std::uint32_t length) const;
  /// Returns the last close(2) or shutdown(2) on the connection; null if none.
  LedgerCallPointer closer_of(const std::string& host, const capture::FlowKey& key) const;
  /// Returns the call on the connection's descriptor that has not returned yet; null if none.
  LedgerCallPointer under_way(const std::string& host, const capture::FlowKey& key) const;
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
    LedgerCallPointer by;
  };
  /// A descriptor of a program, from the call that made it.
  struct Talk {
    std::string program;
    std::optional<capture::FlowKey> key{};
    LedgerCallPointer connect{};
    LedgerCallPointer open{};    // has not returned
    LedgerCallPointer closer{};  // the last one
    std::uint32_t read = 0;
    std::uint32_t written = 0;
    std::deque<Written> writes{};  // the last ones
    bool is_shared = false;        // another program may write too
    bool has_syn = false;          // connect_of() has returned its connect(2)
  };
  using TalkPointer = std::shared_ptr<Talk>;
  using Descriptor = std::tuple<std::string, std::string, int>;  // host, program, number
  using End = std::pair<std::string, capture::FlowKey>;
  /// Host, local endpoint if it is known, remote endpoint: what a SYN can be compared with.
  using Attempt = std::tuple<std::string, std::optional<base::Endpoint>, base::Endpoint>;

  void enters(const LedgerCallPointer& entry);
  void returns(const LedgerCallPointer& entry);
  void share_all(const capture::Call& call);
  void takes(const std::string& host, const TalkPointer& talk, const capture::FlowKey& key);
  void attempts(const TalkPointer& talk);
  std::vector<TalkPointer> attempts_at(const Attempt& attempt);
  TalkPointer find(const std::string& host, const capture::FlowKey& key) const;
  TalkPointer find(const capture::Call& call) const;

  std::map<std::pair<std::string, std::string>, LedgerCallPointer> open_;  // by host and program
  std::map<Descriptor, TalkPointer> talks_;
  std::map<Attempt, std::vector<std::weak_ptr<Talk>>> attempts_;  // without a connection yet
  std::map<End, TalkPointer> ends_;
  std::deque<End> oldest_;
};

}  // namespace tcplab::reports
