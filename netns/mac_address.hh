// An Ethernet address (IEEE 802 MAC-48).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tcplab::netns {

struct MacAddress {
  std::array<std::uint8_t, 6> bytes{};

  auto operator<=>(const MacAddress&) const = default;
  bool is_group() const { return (bytes[0] & 1) != 0; }  // broadcast and multicast
  std::string to_string() const;                         // "02:00:00:00:00:01"
  /// Returns a locally administered unicast address: 02:00 and the 4 bytes of `number`.
  static MacAddress local(std::uint32_t number);
};

}  // namespace tcplab::netns
