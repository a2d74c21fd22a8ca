#include "base/endpoint.hh"

#include <arpa/inet.h>

#include <charconv>
#include <cstring>

namespace tcplab::base {

namespace {

int address_family(Family family) { return family == Family::ipv4 ? AF_INET : AF_INET6; }

/// inet_ntop(3) takes four times as long. Every line about a traced call has two addresses.
std::string dotted(const std::uint8_t* bytes) {
  constexpr int kParts = 4;
  std::array<char, INET_ADDRSTRLEN> text{};
  char* at = text.data();
  for (int i = 0; i < kParts; ++i) {
    if (i > 0) *at++ = '.';
    at = std::to_chars(at, text.data() + text.size(), bytes[i]).ptr;
  }
  return {text.data(), at};
}

}  // namespace

std::string IpAddress::to_string() const {
  if (family == Family::ipv4) return dotted(bytes.data());
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(address_family(family), bytes.data(), text, sizeof text);
  return text;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  const std::string terminated(text);
  for (const Family family : {Family::ipv4, Family::ipv6}) {
    IpAddress address{.family = family};
    if (inet_pton(address_family(family), terminated.c_str(), address.bytes.data()) == 1)
      return address;
  }
  return std::nullopt;
}

IpAddress IpAddress::from_bytes(Family family, const void* network_order) {
  IpAddress address{.family = family};
  std::memcpy(address.bytes.data(), network_order, address.size());
  return address;
}

std::string Endpoint::to_string() const {
  const std::string host = address.to_string();
  const std::string digits = std::to_string(port);
  return address.family == Family::ipv4 ? host + ":" + digits : "[" + host + "]:" + digits;
}

std::optional<Endpoint> Endpoint::parse(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  const auto address = IpAddress::parse(host);
  std::uint16_t port = 0;
  const auto digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (!address || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Endpoint{*address, port};
}

}  // namespace tcplab::base
