// Internet addresses as values: an IPv4 or IPv6 address, and an address with a TCP port.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::base {

enum class Family : std::uint8_t { ipv4 = 4, ipv6 = 6 };

struct IpAddress {
  Family family = Family::ipv4;
  std::array<std::uint8_t, 16> bytes{};  // network order; IPv4 uses the first four

  auto operator<=>(const IpAddress&) const = default;
  std::string to_string() const;  // formatted by inet_ntop(3)
  /// Returns nullopt if inet_pton(3) rejects the text in both families.
  static std::optional<IpAddress> parse(std::string_view text);
  static IpAddress from_bytes(Family family, const void* network_order);
  std::size_t size() const { return family == Family::ipv4 ? 4 : 16; }
};

struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;  // host order

  auto operator<=>(const Endpoint&) const = default;
  std::string to_string() const;  // "10.0.0.1:8080", "[fd00::1]:8080"
  static std::optional<Endpoint> parse(std::string_view text);
};

}  // namespace tcplab::base
