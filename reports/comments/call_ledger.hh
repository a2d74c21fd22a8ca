// Which call put which octets into a stream, and which ended it, as far as programs have told of
// their calls: so that a segment can be tied to the call that it is from. By octets, not by time:
// a kernel may send what was written much later. Fed in the order of time; bounded memory.
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

/// A call that was entered; when it has returned it is whole.
struct ToldCall {
  capture::Call call;
  bool has_returned = false;
};
using ToldCallPointer = std::shared_ptr<ToldCall>;

class CallLedger {
public:
  /// The call that it is about: the same in both phases.
  ToldCallPointer note(const capture::Call& call);
  /// A program has ended, and with it its descriptors.
  void ended(const capture::Program& program);
  /// Every program of the host has, with its power.
  void lost_power(const std::string& host);

  /// The connect(2) that a SYN of that host is from, where it can be no other.
  ToldCallPointer connect_of(const std::string& host, const capture::FlowKey& key);
  /// The calls that wrote these octets of the stream; the first octet is 0. Counted modulo 2^32.
  std::vector<ToldCallPointer> writers_of(const std::string& host, const capture::FlowKey& key,
                                          std::uint32_t offset, std::uint32_t length) const;
  /// The last close(2) or shutdown(2) on that connection; null when there was none.
  ToldCallPointer closer_of(const std::string& host, const capture::FlowKey& key) const;
  /// The call on that connection's descriptor that has not returned yet; null when there is none.
  ToldCallPointer under_way(const std::string& host, const capture::FlowKey& key) const;
  /// The program that has that connection; empty when none is known to.
  std::string owner_of(const std::string& host, const capture::FlowKey& key) const;
  /// How many octets have been read from there before that call returned. Modulo 2^32.
  std::uint32_t read_before(const capture::Call& call) const;
  /// The connection that a call is about, where one is known.
  const capture::FlowKey* flow_of(const capture::Call& call) const;

private:
  struct Written {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    ToldCallPointer by;
  };
  /// One descriptor of a program, from the call that made it on.
  struct Talk {
    std::string program;
    std::optional<capture::FlowKey> key{};
    ToldCallPointer connect{};
    ToldCallPointer open{};    // under way
    ToldCallPointer closer{};  // the last one
    std::uint32_t read = 0;
    std::uint32_t written = 0;
    std::deque<Written> writes{};  // the last ones
    bool is_shared = false;        // another program may write, too
  };
  using TalkPointer = std::shared_ptr<Talk>;
  using Descriptor = std::tuple<std::string, std::string, int>;  // host, program, number
  using End = std::pair<std::string, capture::FlowKey>;

  void enters(const ToldCallPointer& told);
  void returns(const ToldCallPointer& told);
  void share_all(const capture::Call& call);
  void takes(const std::string& host, const TalkPointer& talk, const capture::FlowKey& key);
  TalkPointer find(const std::string& host, const capture::FlowKey& key) const;
  TalkPointer find(const capture::Call& call) const;

  std::map<std::pair<std::string, std::string>, ToldCallPointer> open_;  // by host and program
  std::map<Descriptor, TalkPointer> talks_;
  std::map<End, TalkPointer> ends_;
  std::deque<End> oldest_;
};

}  // namespace tcplab::reports
