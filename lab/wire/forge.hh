// Builds frames that no host sent, with libtins: segments with any numbers, ICMP errors of every
// code. Knows no wire and no script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "capture/decode/decode.hh"
#include "lab/wire/forged_options.hh"
#include "netns/mac_address.hh"
#include "netns/port.hh"

namespace tcplab::lab {

/// The Ethernet addresses of a forged frame.
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
  std::uint16_t urgent_pointer = 0;
  std::optional<std::uint16_t> checksum{};  // in the header; nothing: the right one
  std::size_t fragment_size = 0;            // bytes in each IP fragment; 0: one packet
  ForgedOptions options;
  std::string data;
};

/// Throws base::UsageError if the options do not fit into the header.
std::vector<std::uint8_t> forge(const ForgedSegment& segment);

/// Returns the frames of a segment: one, or its IP fragments. Throws base::UsageError as forge()
/// does.
std::vector<std::vector<std::uint8_t>> forge_frames(const ForgedSegment& segment);

/// Returns the bytes of the IP, TCP and option headers of a segment.
std::size_t headers_of(const ForgedSegment& segment);

/// The type and code of an ICMP error.
struct IcmpTypeCode {
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  bool has_mtu = false;
};

/// Finds an error by its name: "host-unreachable", ... (RFC 792, RFC 1122 section 3.2.2.1, RFC 1812
/// section 5.2.7.1; RFC 4443). Throws base::UsageError for a name that the family does not have.
IcmpTypeCode icmp_error(base::Family family, const std::string& name);

struct ForgedIcmp {
  ForgedLink link;
  base::IpAddress from;
  base::IpAddress to;
  IcmpTypeCode error;
  std::uint32_t mtu = 0;
  netns::Bytes about;  // the IP packet that it is about; the error quotes its start
};

std::vector<std::uint8_t> forge(const ForgedIcmp& message);

/// Parses "S", "SA", "FPA": the letters F, S, R, P, A or ".", U, E (ECE) and W (CWR); "" is no
/// flag. Throws base::UsageError for another letter.
std::uint16_t parse_tcp_flags(const std::string& letters);

/// Returns the lowest MTU of such an error: 68 by RFC 791, 1280 by RFC 8200 section 5.
std::uint32_t lowest_mtu(base::Family family);

}  // namespace tcplab::lab
