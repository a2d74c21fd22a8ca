// Finds packets that a capture has more than once: captured at several interfaces, forwarded by a
// router, copied by the path, or captured before and after damage. None of them is a
// retransmission, which is a new packet. Pure; remembers the last packets only.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"
#include "capture/decode/flow_key.hh"

namespace tcplab::capture {

enum class Duplicate : std::uint8_t {
  none,             // a new packet
  other_interface,  // the same frame at another interface of a capture that has several
  recaptured,       // the capture has most of the connection twice, as of a bridge or `-i any`
  forwarded,        // with a lower hop limit: a router has forwarded it (RFC 1812 section 5.3.1)
  copied,           // the same packet in a connection that is captured once: the path copied it
  altered,          // the same packet with other data
};

/// How a capture was taken.
enum class Interfaces : std::uint8_t { one, several };

class DuplicateDetector {
public:
  explicit DuplicateDetector(Interfaces interfaces) : interfaces_(interfaces) {}

  /// Notes the next frame of the capture. `at` is in nanoseconds since 1970.
  Duplicate note(const DecodedFrame& frame, std::int64_t at);

private:
  /// A frame, octet by octet.
  struct Frame {
    std::size_t hash = 0;
    std::size_t size = 0;
    std::int64_t at = 0;
    bool is_paired = true;
  };
  /// A TCP packet, without what a router changes.
  struct Packet {
    std::uint64_t header = 0;
    std::uint64_t payload = 0;
    std::uint8_t hop_limit = 0;
    std::int64_t at = 0;
    bool is_used = false;
  };
  enum class Sameness : std::uint8_t { is_new, lower_hop_limit, same, other_data };
  /// How many packets of a connection were new, and how many were there already.
  struct Count {
    std::uint64_t unique = 0;
    std::uint64_t same = 0;
  };

  bool is_at_other_interface(const DecodedFrame& frame, std::int64_t at);
  Sameness compare(const DecodedFrame& frame, std::int64_t at);
  Duplicate judge(const DecodedFrame& frame, bool is_same);

  Interfaces interfaces_;
  std::array<Frame, 64> frames_{};
  std::size_t next_frame_ = 0;
  std::array<Packet, 128> packets_{};
  std::size_t next_packet_ = 0;
  std::unordered_map<FlowKey, Count, FlowKeyHash> counts_;
};

}  // namespace tcplab::capture
