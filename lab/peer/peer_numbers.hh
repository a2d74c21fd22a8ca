// The sequence numbers of a scripted end (RFC 9293 section 3.3.1): what the script sends next, and
// what has come from the host. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/decode/decoded_frame.hh"

namespace tcplab::lab {

/// Follows which octets have come. Octets beyond a hole count once the hole is filled.
class ReceivedOctets {
public:
  explicit ReceivedOctets(std::uint32_t next) : next_(next) {}

  void take(std::uint32_t sequence, std::uint32_t octets);
  /// The first number that has not come.
  std::uint32_t next() const { return next_; }

private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  std::uint32_t next_;
  std::vector<Range> ahead_;  // beyond a hole
};

/// Returns how many sequence numbers a segment takes: its data, SYN and FIN.
std::uint32_t octets_of(std::size_t length, std::uint16_t flags);

class PeerNumbers {
public:
  explicit PeerNumbers(std::uint32_t iss) : iss_(iss), snd_nxt_(iss) {}

  std::uint32_t iss() const { return iss_; }
  /// The number of the next segment for which the script names none.
  std::uint32_t snd_nxt() const { return snd_nxt_; }
  /// The host's initial number; none before its SYN.
  std::optional<std::uint32_t> irs() const { return irs_; }
  /// What a segment acknowledges if the script does not say it: what the script has expected, or,
  /// with `all`, what has come. 0 before the host's SYN.
  std::uint32_t rcv_nxt(bool all) const;

  /// The script has sent a segment that begins at snd_nxt().
  void sent(std::size_t length, std::uint16_t flags);
  /// The wire has delivered a segment of the host. Returns whether it has octets to acknowledge.
  bool arrived(const capture::TcpSegment& segment);
  /// The script has expected a segment that has arrived.
  void expected(const capture::TcpSegment& segment);

private:
  std::uint32_t iss_;
  std::uint32_t snd_nxt_;
  std::optional<std::uint32_t> irs_;
  std::optional<ReceivedOctets> arrived_;  // none before the host's SYN
  std::optional<ReceivedOctets> expected_;
};

}  // namespace tcplab::lab
