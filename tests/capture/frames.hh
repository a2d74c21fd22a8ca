// Builds frames layer by layer, for tests. Checksums are zero: neither the decoder nor, by default,
// tshark checks them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/endpoint.hh"

namespace tcplab::tests {

using FrameBytes = std::vector<std::uint8_t>;

inline constexpr std::uint8_t kKangMac[] = {2, 0, 0, 0, 0, 1};
inline constexpr std::uint8_t kKodosMac[] = {2, 0, 0, 0, 0, 2};

FrameBytes bytes_of(std::string_view hexadecimal);  // "0204 05b4"; ignores spaces
FrameBytes operator+(FrameBytes left, const FrameBytes& right);

FrameBytes ethernet(std::uint16_t type, const FrameBytes& payload);
FrameBytes tagged_ethernet(std::uint16_t vlan, std::uint16_t type, const FrameBytes& payload);
FrameBytes ipv4(std::uint8_t protocol, const FrameBytes& payload, const FrameBytes& options = {},
                std::uint16_t fragment = 0);                        // 10.0.0.1 to 10.0.0.2
FrameBytes ipv6(std::uint8_t protocol, const FrameBytes& payload);  // fd00::1 to fd00::2

struct TcpFields {
  std::uint16_t flags = 0x10;
  std::uint32_t sequence = 1001;
  std::uint32_t acknowledgment = 5001;
  FrameBytes options{};  // a multiple of four
  FrameBytes payload{};
};
FrameBytes tcp(const TcpFields& fields);  // port 40000 to port 8080
FrameBytes udp(const FrameBytes& payload);

FrameBytes tcp_frame(base::Family family, const TcpFields& fields);
FrameBytes arp_request();

/// Returns one well-formed frame of each kind that decode() supports.
std::vector<FrameBytes> sample_frames();

}  // namespace tcplab::tests
