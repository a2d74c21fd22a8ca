// A capture of several interfaces has a frame once for each NIC that it passed, and one of a bridge
// or of `-i any` does. Whoever follows connections wants it once.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.hh"
#include "capture/follow/sightings.hh"

namespace tcplab::capture {

/// Remembers the last frames.
class TwiceSeen {
public:
  /// Were the same octets there, less than `longest` nanoseconds ago? Says it once for each time
  /// that they were new, so that a frame that was really sent twice is two.
  bool is_again(Bytes frame, std::int64_t at, std::int64_t longest);

private:
  struct Seen {
    std::size_t hash = 0;
    std::size_t size = 0;
    std::int64_t at = 0;
    bool is_paired = true;
  };
  std::array<Seen, 64> seen_{};
  std::size_t next_ = 0;
};

/// Of one connection: does the capture have each of its segments twice, or was one of them copied
/// on its way?
class CapturedTwice {
public:
  enum class Verdict : std::uint8_t {
    new_segment,
    copy,   // the others are there once: a path has copied it
    twice,  // as half of those before, at the least: the capture has it twice
  };

  /// `frame` has a TCP segment, which is no farther on its way than it was before.
  Verdict note(const DecodedFrame& frame, Sighting sighting);

private:
  std::uint64_t new_ = 0;
  std::uint64_t copies_ = 0;
};

}  // namespace tcplab::capture
