// Finds the parts of an IP packet in its Ethernet frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "netns/port.hh"

namespace tcplab::engine {

struct PacketLayout {
  bool is_ipv4 = true;
  std::uint8_t protocol = 0;  // IPPROTO_TCP ...
  std::size_t ip = 0;         // offsets in the frame
  std::size_t transport = 0;
  std::size_t payload = 0;  // of TCP or UDP; otherwise as transport
  std::size_t end = 0;      // of the packet; padding may follow

  std::size_t length() const { return end - ip; }
};

/// Nothing for a frame without an IP packet, or if that ends before its payload.
std::optional<PacketLayout> layout_of(netns::Bytes frame);

/// Corrects the length fields of the packet.
void mend_lengths(std::span<std::uint8_t> frame, const PacketLayout& layout);
/// Corrects the checksums of IPv4, TCP, UDP and ICMP (RFC 1071); in a fragment only that of IPv4.
void mend_checksums(std::span<std::uint8_t> frame, const PacketLayout& layout);

}  // namespace tcplab::engine
