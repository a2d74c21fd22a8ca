#include "netns/mac_address.hh"

#include <fmt/format.h>

namespace tcplab::netns {

std::string MacAddress::to_string() const { return fmt::format("{:02x}", fmt::join(bytes, ":")); }

MacAddress MacAddress::local(std::uint32_t number) {
  const auto byte = [number](int shift) { return static_cast<std::uint8_t>(number >> shift); };
  return {{0x02, 0, byte(24), byte(16), byte(8), byte(0)}};
}

}  // namespace tcplab::netns
