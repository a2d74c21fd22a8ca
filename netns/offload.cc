#include "netns/offload.hh"

#include <sys/uio.h>
#include <unistd.h>

#include <array>

namespace tcplab::netns {

namespace {

constexpr std::uint8_t kNeedsChecksum = 1;  // VIRTIO_NET_HDR_F_NEEDS_CSUM

/// struct virtio_net_hdr. C++ cannot include the kernel's header: it has a member named `class`.
struct Header {
  std::uint8_t flags = 0;
  std::uint8_t gso_type = 0;
  std::uint16_t hdr_len = 0;
  std::uint16_t gso_size = 0;
  std::uint16_t csum_start = 0;
  std::uint16_t csum_offset = 0;
};
static_assert(sizeof(Header) == 10);

Offload from_header(const Header& header) {
  return {.needs_checksum = (header.flags & kNeedsChecksum) != 0,
          .kind = header.gso_type,
          .header_size = header.hdr_len,
          .segment_size = header.gso_size,
          .checksum_start = header.csum_start,
          .checksum_offset = header.csum_offset};
}

Header to_header(const Offload& offload) {
  return {.flags = offload.needs_checksum ? kNeedsChecksum : std::uint8_t{0},
          .gso_type = offload.kind,
          .hdr_len = offload.header_size,
          .gso_size = offload.segment_size,
          .csum_start = offload.checksum_start,
          .csum_offset = offload.checksum_offset};
}

/// RFC 1071: the complement of the one's complement sum of 16-bit words; a zero follows a last odd
/// byte.
std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    total += static_cast<std::uint32_t>(bytes[i] << 8 | bytes[i + 1]);
  if (bytes.size() % 2 != 0) total += static_cast<std::uint32_t>(bytes.back() << 8);
  while (total > 0xffff) total = (total & 0xffff) + (total >> 16);
  return static_cast<std::uint16_t>(~total);
}

}  // namespace

std::vector<std::uint8_t> with_checksum(std::span<const std::uint8_t> frame,
                                        const Offload& offload) {
  std::vector<std::uint8_t> bytes(frame.begin(), frame.end());
  const std::size_t start = offload.checksum_start;
  const std::size_t at = start + offload.checksum_offset;
  if (!offload.needs_checksum || at + 2 > bytes.size()) return bytes;
  const std::uint16_t checksum = internet_checksum(frame.subspan(start));
  // In UDP zero means "no checksum"; elsewhere both are zero (skb_checksum_help()).
  const std::uint16_t written = checksum == 0 ? 0xffff : checksum;
  bytes[at] = static_cast<std::uint8_t>(written >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(written);
  return bytes;
}

ssize_t read_frame(int descriptor, bool has_headers, std::span<std::uint8_t> buffer,
                   Offload& offload) {
  offload = {};
  if (!has_headers) return ::read(descriptor, buffer.data(), buffer.size());
  Header header;
  const std::array parts{iovec{&header, sizeof header}, iovec{buffer.data(), buffer.size()}};
  const ssize_t size = readv(descriptor, parts.data(), parts.size());
  if (size == -1) return -1;
  offload = from_header(header);
  return size - static_cast<ssize_t>(sizeof header);
}

ssize_t write_frame(int descriptor, bool has_headers, std::span<const std::uint8_t> frame,
                    const Offload& offload) {
  if (!has_headers) return ::write(descriptor, frame.data(), frame.size());
  Header header = to_header(offload);
  const std::array parts{
      iovec{&header, sizeof header},
      iovec{const_cast<std::uint8_t*>(frame.data()), frame.size()}};  // writev(2) only reads it
  return writev(descriptor, parts.data(), parts.size());
}

}  // namespace tcplab::netns
