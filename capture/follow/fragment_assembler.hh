// Puts the fragments of IP packets together (RFC 791 section 3.2, RFC 8200 section 4.5). Pure;
// bounded memory.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"

namespace tcplab::capture {

class FragmentAssembler {
public:
  /// Notes a fragment. Returns the whole IP packet, decoded, if this fragment completes it; its
  /// bytes are valid until the next call. Octets that were not captured are 0. `at` is in
  /// nanoseconds since 1970.
  std::optional<DecodedFrame> note(const DecodedFrame& frame, std::int64_t at);
  /// Returns the number of fragments whose packets are not complete.
  std::uint64_t incomplete() const { return fragments_ - complete_; }

private:
  struct Key {
    base::IpAddress source;
    base::IpAddress destination;
    std::uint32_t identification = 0;
    std::uint8_t protocol = 0;  // IPv4 only

    auto operator<=>(const Key&) const = default;
  };
  struct Packet {
    std::int64_t at = 0;
    std::vector<std::uint8_t> header;                           // of the first fragment
    std::map<std::size_t, std::vector<std::uint8_t>> payloads;  // by offset
    std::optional<std::size_t> length;                          // of the payload, once known
    std::uint64_t fragments = 0;
    bool is_captured = true;  // every octet so far
  };

  Packet& packet_of(const IpHeader& ip, std::int64_t at);
  static bool is_complete(const Packet& packet);
  void build(const Packet& packet);

  std::map<Key, Packet> packets_;
  std::vector<std::uint8_t> whole_;
  std::uint64_t fragments_ = 0;
  std::uint64_t complete_ = 0;
};

}  // namespace tcplab::capture
