// Frames that no host sent: segments with any numbers, ICMP errors of every code. Values to bytes;
// libtins builds them. Knows no wire and no script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "capture/decode/decode.hh"
#include "netns/mac_address.hh"
#include "netns/port.hh"

namespace tcplab::engine {

/// The Ethernet addresses of a frame that arrives.
struct ForgedLink {
  netns::MacAddress from;
  netns::MacAddress to;
};

struct ForgedSegment {
  ForgedLink link;
  base::Endpoint from;
  base::Endpoint to;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::uint16_t flags = 0;  // capture::TcpFlags
  std::uint16_t window = 0xffff;
  std::optional<capture::TcpTimestamps> timestamps;
  std::string data;
};

std::vector<std::uint8_t> forge(const ForgedSegment& segment);

/// An ICMP error by its name, and what it is called on the wire.
struct IcmpTypeCode {
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  bool has_mtu = false;
};

/// "host-unreachable", "fragmentation-needed"... (RFC 792, RFC 1122 section 3.2.2.1, RFC 1812
/// section 5.2.7.1; RFC 4443). Throws base::UsageError for a name that the family does not have.
IcmpTypeCode icmp_error(base::Family family, const std::string& name);

struct ForgedIcmp {
  ForgedLink link;
  base::IpAddress from;
  base::IpAddress to;
  IcmpTypeCode error;
  std::uint32_t mtu = 0;
  netns::Bytes about;  // the IP packet that it is about; its head is quoted
};

std::vector<std::uint8_t> forge(const ForgedIcmp& message);

/// "S", "SA", "R", "FPA": F, S, R, P, A, U, E (ECE), W (CWR), "." for A; "" for none of them.
/// Throws base::UsageError for another letter.
std::uint16_t parse_tcp_flags(const std::string& letters);

/// The lowest MTU that such an error may name: RFC 791 says 68, RFC 8200 section 5 says 1280.
std::uint32_t lowest_mtu(base::Family family);

}  // namespace tcplab::engine
