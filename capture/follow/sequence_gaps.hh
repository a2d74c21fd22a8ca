// The gaps in one direction of a connection: octets whose frames a capture has missed, or has
// later, out of order. Sequence numbers are modulo 2^32 (RFC 9293 section 3.4). Keeps at most kMost
// gaps, and forgets the oldest first. A segment that fills a forgotten gap counts as a
// retransmission.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/on_demand.hh"

namespace tcplab::capture {

class SequenceGaps {
public:
  static constexpr std::size_t kMost = 64;

  void add(std::uint32_t begin, std::uint32_t end);
  bool contains(std::uint32_t sequence) const;
  /// Octets from `begin` on, before `end`, have been seen. Returns how many of them were missing.
  std::uint32_t fill(std::uint32_t begin, std::uint32_t end);

  struct Missing {
    std::uint64_t below = 0;  // octets below the given number
    std::uint64_t above = 0;  // at it or later
    std::uint32_t end = 0;    // the number after the last octet that is missing; valid if above > 0
  };
  /// Counts the octets that no frame has filled, below `sequence` and above it.
  Missing missing(std::uint32_t sequence) const;

private:
  struct Gap {
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Gaps {
    std::vector<Gap> all;  // the oldest first
    std::uint64_t given_up = 0;
  };
  void give_up_oldest();

  base::OnDemand<Gaps> gaps_;
};

}  // namespace tcplab::capture
