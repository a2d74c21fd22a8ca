#include "capture/follow/fragment_assembler.hh"

#include <algorithm>
#include <cstdlib>

namespace tcplab::capture {

namespace {

constexpr std::size_t kMostPackets = 256;
constexpr std::size_t kLongestPayload = 65'515;     // RFC 791: 65,535 with the shortest header
constexpr std::int64_t kPatience = 30'000'000'000;  // net.ipv4.ipfrag_time, in nanoseconds
constexpr std::size_t kIpv6Size = 40;

std::vector<std::uint8_t> header_of(const IpHeader& ip) {
  const bool is_ipv4 = ip.source.family == base::Family::ipv4;
  const Bytes header =
      slice(ip.packet, 0, is_ipv4 ? ip.packet.size() - ip.payload.size() : kIpv6Size);
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  if (!is_ipv4) bytes.at(6) = ip.protocol;  // in place of the extension headers
  return bytes;
}

}  // namespace

std::optional<DecodedFrame> FragmentAssembler::note(const DecodedFrame& frame, std::int64_t at) {
  const IpHeader& ip = *frame.ip;
  ++fragments_;
  if (ip.fragment_offset + ip.length > kLongestPayload) return std::nullopt;
  Packet& packet = packet_of(ip, at);
  ++packet.fragments;
  std::vector<std::uint8_t> payload(ip.payload.begin(), ip.payload.end());
  if (payload.size() < ip.length) packet.is_captured = false;
  payload.resize(ip.length);
  packet.payloads.try_emplace(ip.fragment_offset, std::move(payload));
  if (ip.fragment_offset == 0) packet.header = header_of(ip);
  if (!ip.more_fragments) packet.length = ip.fragment_offset + ip.length;
  if (!is_complete(packet)) return std::nullopt;
  complete_ += packet.fragments;
  build(packet);
  const std::size_t length = whole_.size() + (packet.is_captured ? 0 : 1);
  std::erase_if(packets_, [&packet](const auto& each) { return &each.second == &packet; });
  return decode(whole_, LinkType::raw, length);
}

FragmentAssembler::Packet& FragmentAssembler::packet_of(const IpHeader& ip, std::int64_t at) {
  const bool is_ipv4 = ip.source.family == base::Family::ipv4;
  const Key key{ip.source, ip.destination, ip.identification,
                is_ipv4 ? ip.protocol : std::uint8_t{0}};
  const auto found = packets_.find(key);
  if (found != packets_.end() && std::abs(at - found->second.at) > kPatience) packets_.erase(found);
  if (packets_.size() >= kMostPackets && !packets_.contains(key))
    packets_.erase(
        std::ranges::min_element(packets_, {}, [](const auto& each) { return each.second.at; }));
  return packets_.try_emplace(key, Packet{.at = at}).first->second;
}

/// Overlapping fragments never make a packet: Linux and RFC 5722 discard it.
bool FragmentAssembler::is_complete(const Packet& packet) {
  if (!packet.length || packet.header.empty()) return false;
  std::size_t next = 0;
  for (const auto& [offset, payload] : packet.payloads) {
    if (offset != next) return false;
    next += payload.size();
  }
  return next == *packet.length;
}

void FragmentAssembler::build(const Packet& packet) {
  whole_ = packet.header;
  const bool is_ipv4 = whole_.at(0) >> 4 == 4;
  const std::size_t length = *packet.length + (is_ipv4 ? whole_.size() : 0);
  const std::size_t place = is_ipv4 ? 2 : 4;  // of the length
  whole_.at(place) = static_cast<std::uint8_t>(length >> 8);
  whole_.at(place + 1) = static_cast<std::uint8_t>(length);
  if (is_ipv4) whole_.at(6) = whole_.at(7) = 0;  // flags and offset
  for (const auto& [offset, payload] : packet.payloads)
    whole_.insert(whole_.end(), payload.begin(), payload.end());
}

}  // namespace tcplab::capture
