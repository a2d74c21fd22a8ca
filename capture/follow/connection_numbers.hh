// Follows the sequence numbers of a host's TCP connections, from the frames that the host sends and
// receives. The kernel does not report RFC 9293's variables. If a segment leaves a doubt, the
// host's next acknowledgment resolves it.
#pragma once

#include <optional>
#include <unordered_map>

#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::capture {

/// The host's end of a connection.
struct EndNumbers : SequenceVariables {
  MacBytes mac{};           // of its NIC
  MacBytes next_hop{};      // the link address that it sends to
  std::uint64_t begun = 0;  // counts the host's connections, in order
};

class ConnectionNumbers {
public:
  /// Returns what the segment is for its sender. To be called before sent().
  SegmentTraits classify(const DecodedFrame& frame) const;
  /// The host has sent the frame, whether or not it is delivered.
  void sent(const DecodedFrame& frame);
  /// The host's TCP has processed the frame.
  void delivered(const DecodedFrame& frame);

  /// Returns what is known of the connection whose `key.source` is the host's own end. Null if
  /// nothing is.
  const EndNumbers* find(const FlowKey& key) const;
  /// Returns the connection that began last; none before the first.
  std::optional<FlowKey> newest() const;

private:
  struct End {
    SequenceTracker tracker{Vantage::sender};
    EndNumbers numbers;
  };

  std::unordered_map<FlowKey, End, FlowKeyHash> ends_;
  std::uint64_t count_ = 0;
};

}  // namespace tcplab::capture
