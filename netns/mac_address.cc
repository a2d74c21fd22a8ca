#include "netns/mac_address.hh"

#include <fmt/format.h>

namespace tcplab::netns {

std::string MacAddress::to_string() const { return fmt::format("{:02x}", fmt::join(bytes, ":")); }

MacAddress MacAddress::local(std::uint16_t number) {
  const auto high = static_cast<std::uint8_t>(number >> 8);
  const auto low = static_cast<std::uint8_t>(number & 0xff);
  return {{0x02, 0, 0, 0, high, low}};
}

}  // namespace tcplab::netns
