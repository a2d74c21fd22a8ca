// A capture of several interfaces has a frame once for each NIC that it passed. Whoever follows
// connections wants it once.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "capture/bytes.hh"

namespace tcplab::capture {

/// True for a pcapng file whose section describes more than one interface before its first packet
/// (draft-ietf-opsawg-pcapng section 4.2). False for anything else, and for what cannot be read.
bool has_several_interfaces(const std::string& file);

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

}  // namespace tcplab::capture
