// The work that the kernel leaves to a NIC with offloads: it completes the checksum, or cuts the
// frame into several segments. The fields are those of struct virtio_net_hdr (linux/virtio_net.h).
// A TAP with IFF_VNET_HDR puts that header before each frame.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tcplab::netns {

struct Offload {
  bool needs_checksum = false;        // the checksum covers only the pseudo-header
  std::uint8_t kind = 0;              // VIRTIO_NET_HDR_GSO_...; 0: it is one segment
  std::uint16_t header_size = 0;      // bytes of the frame to keep together; a hint
  std::uint16_t segment_size = 0;     // bytes of payload in each segment; 0: it is one segment
  std::uint16_t checksum_start = 0;   // in the frame: where the checksummed part begins
  std::uint16_t checksum_offset = 0;  // from there: where the checksum is

  /// Returns the number of segments for this many bytes of payload.
  std::size_t segments(std::size_t payload) const {
    if (segment_size == 0 || payload == 0) return 1;
    return (payload + segment_size - 1) / segment_size;
  }
  bool operator==(const Offload&) const = default;
};

/// Returns the frame with the checksum that a NIC computes (virtio 1.3, section 5.1.6.2.1): the sum
/// of everything from `checksum_start` on, which includes the partial checksum. Returns a plain
/// copy if the checksum is complete already.
std::vector<std::uint8_t> with_checksum(std::span<const std::uint8_t> frame,
                                        const Offload& offload);

/// Reads one frame, after its header if the descriptor has headers, and sets `offload`. Returns the
/// frame's size, or -1 and errno as readv(2).
ssize_t read_frame(int descriptor, bool has_headers, std::span<std::uint8_t> buffer,
                   Offload& offload);

/// Writes one frame, after its header if the descriptor has headers. Returns -1 and errno as
/// writev(2) if it fails.
ssize_t write_frame(int descriptor, bool has_headers, std::span<const std::uint8_t> frame,
                    const Offload& offload);

}  // namespace tcplab::netns
