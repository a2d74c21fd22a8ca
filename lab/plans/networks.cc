#include "lab/plans/networks.hh"

#include <charconv>
#include <optional>

#include "base/error.hh"

namespace tcplab::lab {

namespace {

constexpr unsigned kLargestMtu = 65521;  // what a TAP takes: 65535 less its Ethernet header

const char* name(base::Family family) { return family == base::Family::ipv4 ? "IPv4" : "IPv6"; }

std::optional<unsigned> whole_number(const std::string& text, unsigned largest) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > largest)
    return std::nullopt;
  return number;
}

}  // namespace

netns::InterfaceAddress parse_network(const std::string& text, base::Family family) {
  if (text == "default") return {.address = {.family = family}, .prefix_length = 0};
  const auto slash = text.find('/');
  const auto address = base::IpAddress::parse(text.substr(0, slash));
  if (!address || address->family != family)
    throw base::UsageError("\"" + text + "\" is not an " + name(family) +
                           " address, which this run uses; see lab.family");
  const auto bits = static_cast<unsigned>(address->size() * 8);
  const auto length =
      slash == std::string::npos ? bits : whole_number(text.substr(slash + 1), bits);
  if (!length)
    throw base::UsageError("\"" + text + "\" has no prefix length from 0 to " +
                           std::to_string(bits) + " after the slash");
  return {.address = *address, .prefix_length = *length};
}

base::IpAddress network_address(const netns::InterfaceAddress& network) {
  base::IpAddress masked = network.address;
  for (unsigned bit = network.prefix_length; bit < masked.size() * 8; ++bit)
    masked.bytes[bit / 8] &= static_cast<std::uint8_t>(~(0x80U >> (bit % 8)));
  return masked;
}

bool contains(const netns::InterfaceAddress& network, const base::IpAddress& address) {
  if (network.address.family != address.family) return false;
  return network_address(network) == network_address({address, network.prefix_length});
}

unsigned whole_mtu(double number) {
  if (!(number >= 0 && number <= 1e9) || number != static_cast<double>(static_cast<long>(number)))
    throw base::UsageError("an MTU is a whole number of bytes");
  return static_cast<unsigned>(number);
}

void check_mtu(const std::string& what, unsigned mtu, base::Family family) {
  const unsigned smallest = family == base::Family::ipv4 ? 68 : 1280;
  if (mtu >= smallest && mtu <= kLargestMtu) return;
  throw base::UsageError(what + " cannot have an MTU of " + std::to_string(mtu) + ": " +
                         name(family) + " has it from " + std::to_string(smallest) + " to " +
                         std::to_string(kLargestMtu));
}

}  // namespace tcplab::lab
