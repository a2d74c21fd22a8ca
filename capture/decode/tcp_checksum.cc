#include "capture/decode/tcp_checksum.hh"

#include <netinet/in.h>

#include <cstring>

namespace tcplab::capture {

namespace {

/// Adds up 32-bit words in the machine's byte order: RFC 1071 section 2 (B) allows either.
std::uint64_t sum_of(Bytes bytes) {
  std::uint64_t sum = 0;
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word;
  }
  std::uint32_t rest = 0;
  if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
  return sum + rest;
}

std::uint16_t folded(std::uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(sum);
}

}  // namespace

std::optional<bool> has_right_checksum(const DecodedFrame& frame) {
  const IpHeader& ip = *frame.ip;
  constexpr std::size_t kChecksum = 16;
  if (!frame.is_whole || ip.payload.size() != ip.length || ip.is_fragment()) return std::nullopt;
  const std::size_t size = ip.source.size();
  std::uint64_t sum = sum_of({ip.source.bytes.data(), size});
  sum += sum_of({ip.destination.bytes.data(), size});
  const std::uint8_t pseudo[] = {0,
                                 IPPROTO_TCP,
                                 static_cast<std::uint8_t>(ip.length >> 24),
                                 static_cast<std::uint8_t>(ip.length >> 16),
                                 static_cast<std::uint8_t>(ip.length >> 8),
                                 static_cast<std::uint8_t>(ip.length)};
  sum += sum_of({pseudo, 2}) + sum_of({pseudo + 2, 4});
  std::uint16_t field = 0;
  std::memcpy(&field, ip.payload.data() + kChecksum, sizeof field);
  if (field == folded(sum)) return std::nullopt;
  return folded(sum + sum_of(ip.payload)) == 0xffff;
}

}  // namespace tcplab::capture
