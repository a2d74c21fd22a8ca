#include "lab/wire/forge.hh"

#include <algorithm>
#include <array>
#include <tins/ethernetII.h>
#include <tins/icmp.h>
#include <tins/icmpv6.h>
#include <tins/ip.h>
#include <tins/ipv6.h>
#include <tins/rawpdu.h>
#include <tins/tcp.h>
#include <utility>

#include "base/error.hh"
#include "capture/decode/decode_layers.hh"
#include "lab/wire/ip_fragments.hh"
#include "lab/wire/packet_layout.hh"

namespace tcplab::lab {

namespace {

using base::Family;
using capture::TcpFlags;

constexpr std::uint8_t kHopLimit = 64;  // RFC 1700's default
// Bytes of the quoted packet: RFC 792 requires 8 bytes after the header, and routers quote more.
// For more than 128, libtins would have to set the length field (RFC 4884).
constexpr std::size_t kMostQuoted = 128;
constexpr std::size_t kTcpHeader = 20;  // without options

struct NamedError {
  std::string_view name;
  std::optional<IcmpTypeCode> ipv4;
  std::optional<IcmpTypeCode> ipv6;
};

constexpr std::array<NamedError, 22> kErrors = {{
    {"net-unreachable", IcmpTypeCode{3, 0}, IcmpTypeCode{1, 0}},
    {"host-unreachable", IcmpTypeCode{3, 1}, IcmpTypeCode{1, 3}},
    {"protocol-unreachable", IcmpTypeCode{3, 2}, IcmpTypeCode{4, 1}},  // IPv6: unknown next header
    {"port-unreachable", IcmpTypeCode{3, 3}, IcmpTypeCode{1, 4}},
    {"fragmentation-needed", IcmpTypeCode{3, 4, true}, IcmpTypeCode{2, 0, true}},  // packet too big
    {"source-route-failed", IcmpTypeCode{3, 5}, IcmpTypeCode{1, 7}},
    {"net-unknown", IcmpTypeCode{3, 6}, std::nullopt},
    {"host-unknown", IcmpTypeCode{3, 7}, std::nullopt},
    {"host-isolated", IcmpTypeCode{3, 8}, std::nullopt},
    {"net-prohibited", IcmpTypeCode{3, 9}, std::nullopt},
    {"host-prohibited", IcmpTypeCode{3, 10}, std::nullopt},
    {"net-unreachable-for-service", IcmpTypeCode{3, 11}, std::nullopt},
    {"host-unreachable-for-service", IcmpTypeCode{3, 12}, std::nullopt},
    {"admin-prohibited", IcmpTypeCode{3, 13}, IcmpTypeCode{1, 1}},
    {"precedence-violation", IcmpTypeCode{3, 14}, std::nullopt},
    {"precedence-cutoff", IcmpTypeCode{3, 15}, std::nullopt},
    {"beyond-scope", std::nullopt, IcmpTypeCode{1, 2}},
    {"policy-failed", std::nullopt, IcmpTypeCode{1, 5}},
    {"reject-route", std::nullopt, IcmpTypeCode{1, 6}},
    {"source-quench", IcmpTypeCode{4, 0}, std::nullopt},
    {"time-exceeded", IcmpTypeCode{11, 0}, IcmpTypeCode{3, 0}},
    {"parameter-problem", IcmpTypeCode{12, 0}, IcmpTypeCode{4, 0}},
}};

std::string names_of(Family family) {
  std::string names;
  for (const NamedError& error : kErrors)
    if (family == Family::ipv4 ? error.ipv4 : error.ipv6)
      names += (names.empty() ? "" : ", ") + std::string(error.name);
  return names;
}

Tins::IPv4Address ipv4(const base::IpAddress& address) {
  return Tins::IPv4Address(address.to_string());
}

Tins::IPv6Address ipv6(const base::IpAddress& address) {
  return Tins::IPv6Address(address.to_string());
}

Tins::EthernetII ethernet(const ForgedLink& link) {
  return {Tins::EthernetII::address_type(link.to.bytes.data()),
          Tins::EthernetII::address_type(link.from.bytes.data())};
}

/// Builds the frame around a transport PDU, with its checksum.
std::vector<std::uint8_t> wrap(const ForgedLink& link, const base::IpAddress& from,
                               const base::IpAddress& to, const Tins::PDU& transport) {
  Tins::EthernetII frame = ethernet(link);
  if (to.family == Family::ipv4) {
    Tins::IP header(ipv4(to), ipv4(from));
    header.ttl(kHopLimit);
    frame /= header;
  } else {
    Tins::IPv6 header(ipv6(to), ipv6(from));
    header.hop_limit(kHopLimit);
    frame /= header;
  }
  frame /= transport;
  return frame.serialize();
}

/// Makes the first bytes of the payload options of the TCP header. libtins writes only options that
/// are well-formed.
void set_options_size(std::vector<std::uint8_t>& frame, std::size_t size) {
  const auto layout = layout_of(frame);
  constexpr std::size_t kDataOffset = 12;  // in the TCP header; the high 4 bits, in words
  frame.at(layout->transport + kDataOffset) =
      static_cast<std::uint8_t>((kTcpHeader + size) / 4 << 4);
  fix_checksums(frame, *layout);
}

void set_checksum(std::vector<std::uint8_t>& frame, std::uint16_t checksum) {
  constexpr std::size_t kChecksum = 16;  // in the TCP header
  const std::size_t at = layout_of(frame)->transport + kChecksum;
  frame.at(at) = static_cast<std::uint8_t>(checksum >> 8);
  frame.at(at + 1) = static_cast<std::uint8_t>(checksum & 0xff);
}

Tins::RawPDU quoted(netns::Bytes packet) {
  return {packet.data(), static_cast<std::uint32_t>(std::min(packet.size(), kMostQuoted))};
}

}  // namespace

std::vector<std::uint8_t> forge(const ForgedSegment& segment) {
  Tins::TCP tcp(segment.to.port, segment.from.port);
  tcp.seq(segment.sequence);
  tcp.ack_seq(segment.acknowledgment);
  tcp.flags(segment.flags);
  tcp.window(segment.window);
  tcp.urg_ptr(segment.urgent_pointer);
  const std::string options = encode(segment.options);
  if (const std::string rest = options + segment.data; !rest.empty()) tcp /= Tins::RawPDU(rest);
  auto frame = wrap(segment.link, segment.from.address, segment.to.address, tcp);
  if (!options.empty()) set_options_size(frame, options.size());
  if (segment.checksum) set_checksum(frame, *segment.checksum);
  return frame;
}

std::vector<std::vector<std::uint8_t>> forge_frames(const ForgedSegment& segment) {
  std::vector<std::uint8_t> frame = forge(segment);
  if (segment.fragment_size == 0) return {std::move(frame)};
  return in_fragments(frame, segment.fragment_size);
}

std::size_t headers_of(const ForgedSegment& segment) {
  const std::size_t ip = segment.to.address.family == Family::ipv4 ? capture::kIpv4HeaderSize
                                                                   : capture::kIpv6HeaderSize;
  return ip + kTcpHeader + encode(segment.options).size();
}

IcmpTypeCode icmp_error(Family family, const std::string& name) {
  const auto found = std::ranges::find(kErrors, name, &NamedError::name);
  const bool is_ipv4 = family == Family::ipv4;
  const auto error = found == kErrors.end() ? std::nullopt : is_ipv4 ? found->ipv4 : found->ipv6;
  if (error) return *error;
  throw base::UsageError(std::string(is_ipv4 ? "ICMP" : "ICMPv6") + " has no error \"" + name +
                         "\"; it has " + names_of(family));
}

std::vector<std::uint8_t> forge(const ForgedIcmp& message) {
  if (message.to.family == Family::ipv4) {
    Tins::ICMP icmp(static_cast<Tins::ICMP::Flags>(message.error.type));
    icmp.code(message.error.code);
    if (message.error.has_mtu) icmp.mtu(static_cast<std::uint16_t>(message.mtu));
    icmp /= quoted(message.about);
    return wrap(message.link, message.from, message.to, icmp);
  }
  Tins::ICMPv6 icmp(static_cast<Tins::ICMPv6::Types>(message.error.type));
  icmp.code(message.error.code);
  // libtins has no name for the MTU (RFC 4443 section 3.2). It is where an echo request has its
  // identifier and sequence number.
  icmp.identifier(static_cast<std::uint16_t>(message.mtu >> 16));
  icmp.sequence(static_cast<std::uint16_t>(message.mtu & 0xffff));
  icmp /= quoted(message.about);
  return wrap(message.link, message.from, message.to, icmp);
}

std::uint16_t parse_tcp_flags(const std::string& letters) {
  std::uint16_t flags = 0;
  for (const char letter : letters) {
    static constexpr std::pair<char, std::uint16_t> kLetters[] = {
        {'F', TcpFlags::kFin},    {'S', TcpFlags::kSyn},     {'R', TcpFlags::kRst},
        {'P', TcpFlags::kPush},   {'A', TcpFlags::kAck},     {'.', TcpFlags::kAck},
        {'U', TcpFlags::kUrgent}, {'E', TcpFlags::kEcnEcho}, {'W', TcpFlags::kWindowReduced}};
    const auto found = std::ranges::find(kLetters, letter, &std::pair<char, std::uint16_t>::first);
    if (found == std::end(kLetters))
      throw base::UsageError("TCP has no flag \"" + std::string(1, letter) + "\" (in \"" + letters +
                             "\"); flags are of the letters F, S, R, P, A, U, E and W");
    flags |= found->second;
  }
  return flags;
}

std::uint32_t lowest_mtu(Family family) { return family == Family::ipv4 ? 68 : 1280; }

}  // namespace tcplab::lab
