// Finds the parts of an IP packet in its Ethernet frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "netns/port.hh"

namespace tcplab::lab {

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

/// Makes the packet's length fields say what the layout has.
void fix_lengths(std::span<std::uint8_t> frame, const PacketLayout& layout);
/// The header's of IPv4, and the payload's of TCP, UDP and ICMP (RFC 1071). Fragments have none of
/// their own.
void fix_checksums(std::span<std::uint8_t> frame, const PacketLayout& layout);

/// Writes a number of 16 bits in network order.
void put_u16(std::span<std::uint8_t> frame, std::size_t at, std::size_t value);

}  // namespace tcplab::lab
