// A capture may have one packet several times: `tcpdump -i any` on a router has it as it comes and
// as it goes, a path may copy it, damage may be captured before and after. None of them is a
// retransmission, which is a new packet. Pure; remembers the last packets only.
#pragma once

#include <array>
#include <cstdint>

#include "capture/decode/decode.hh"

namespace tcplab::capture {

enum class Sighting : std::uint8_t {
  first,
  farther,  // with a lower hop limit: a router has forwarded it (RFC 1812 section 5.3.1)
  copy,     // the same to the last octet: copied on the way
  altered,  // the same packet, and other octets in it
};

/// How long after the first sighting of a TCP segment the same octets may be the same packet, in
/// nanoseconds. A timestamp (RFC 7323) or an identification tells a retransmission at any time.
std::int64_t longest_sighting(const DecodedFrame& frame);

class Sightings {
public:
  /// `frame` has a TCP segment. `at` in nanoseconds since 1970.
  Sighting note(const DecodedFrame& frame, std::int64_t at);

private:
  struct Seen {
    std::uint64_t header = 0;
    std::uint64_t payload = 0;
    std::uint8_t hop_limit = 0;
    std::int64_t at = 0;
    bool is_used = false;
  };
  std::array<Seen, 128> seen_{};
  std::size_t next_ = 0;
};

}  // namespace tcplab::capture
