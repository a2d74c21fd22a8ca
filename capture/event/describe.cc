#include "capture/event/describe.hh"

#include <netinet/in.h>

#include <fmt/format.h>
#include <span>

#include "capture/event/describe_icmp.hh"

namespace tcplab::capture {

namespace {

using Words = fmt::memory_buffer;

template <typename... Values>
void say(Words& words, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(fmt::appender(words), format, std::forward<Values>(values)...);
}

std::uint32_t relative(std::uint32_t number, std::optional<std::uint32_t> base) {
  return number - base.value_or(0);
}

void say_sack(Words& words, const TcpOptions& options, const SequenceBases& bases) {
  for (std::size_t index = 0; index < options.sack_count; ++index) {
    const SackBlock& block = options.sack_blocks[index];
    say(words, "{}sack {}:{}", index == 0 ? "" : ",", relative(block.begin, bases.acknowledgment),
        relative(block.end, bases.acknowledgment));
  }
}

// Without timestamps: every segment has them, and the capture shows them.
void say_options(Words& words, const TcpSegment& tcp, const SequenceBases& bases) {
  const TcpOptions& options = tcp.options;
  const bool is_syn = tcp.has(TcpFlags::kSyn);
  if (options.sack_count == 0 && !(is_syn && options.maximum_segment_size)) return;
  say(words, ", options [");
  if (is_syn && options.maximum_segment_size) say(words, "mss {}", *options.maximum_segment_size);
  if (is_syn && options.sack_permitted) say(words, ",sackOK");
  if (is_syn && options.window_scale) say(words, ",wscale {}", *options.window_scale);
  say_sack(words, options, bases);
  say(words, "]");
}

void say_tcp(Words& words, const TcpSegment& tcp, const SequenceBases& bases) {
  const std::uint32_t first = relative(tcp.sequence, bases.sequence);
  const auto length = static_cast<std::uint32_t>(tcp.length);
  const bool takes_space = length != 0 || (tcp.flags & 0x7) != 0;  // SYN, FIN; RST for its reader
  say(words, "Flags [{}]", tcp_flags(tcp.flags));
  if (length != 0)
    say(words, ", seq {}:{}", first, first + length);
  else if (takes_space)
    say(words, ", seq {}", first);
  if (tcp.has(TcpFlags::kAck))
    say(words, ", ack {}", relative(tcp.acknowledgment, bases.acknowledgment));
  say(words, ", win {}", tcp.window);
  if (tcp.has(TcpFlags::kUrgent)) say(words, ", urg {}", tcp.urgent_pointer);
  say_options(words, tcp, bases);
  say(words, ", length {}", length);
}

std::string mac_text(const MacBytes& mac) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", mac[0], mac[1], mac[2], mac[3],
                     mac[4], mac[5]);
}

void say_arp(Words& words, const ArpPacket& arp) {
  constexpr std::uint16_t kRequest = 1;
  constexpr std::uint16_t kReply = 2;
  const std::string sender = arp.sender.to_string();
  if (arp.operation == kRequest && arp.sender == arp.target)
    say(words, "Announcement {}", sender);
  else if (arp.operation == kRequest)
    say(words, "Request who-has {} tell {}", arp.target.to_string(), sender);
  else if (arp.operation == kReply)
    say(words, "Reply {} is-at {}", sender, mac_text(arp.sender_mac));
  else
    say(words, "operation {}", arp.operation);
}

void say_other(Words& words, const DecodedFrame& frame) {
  if (frame.ip && frame.ip->is_fragment())
    say(words, "fragment {} at {}, {}length {}", frame.ip->identification,
        frame.ip->fragment_offset, frame.ip->more_fragments ? "more follow, " : "",
        frame.ip->length);
  else if (frame.ip)
    say(words, "protocol {}, length {}", frame.ip->protocol, frame.ip->length);
  else if (frame.ethernet && frame.malformed.empty())
    say(words, "ethertype {:#06x}, length {}", frame.ethernet->type, frame.bytes.size());
}

/// Without ports; TCP and UDP set these.
Packet from_ip(const IpHeader& ip) {
  Packet packet;
  packet.source.address = ip.source;
  packet.destination.address = ip.destination;
  return packet;
}

std::string protocol_of(const DecodedFrame& frame) {
  if (frame.arp) return "ARP";
  if (frame.ip) {
    switch (frame.ip->protocol) {
      case IPPROTO_TCP:
        return "TCP";
      case IPPROTO_UDP:
        return "UDP";
      case IPPROTO_ICMP:
        return "ICMP";
      case IPPROTO_ICMPV6:
        return "ICMPv6";
      case IPPROTO_IGMP:
        return "IGMP";
      default:
        return frame.ip->source.family == base::Family::ipv4 ? "IPv4" : "IPv6";
    }
  }
  return "Ethernet";
}

void fill_tcp(Packet& packet, const TcpSegment& tcp) {
  packet.source.port = tcp.source_port;
  packet.destination.port = tcp.destination_port;
  packet.flags = tcp_flags(tcp.flags);
  packet.sequence = tcp.sequence;
  packet.acknowledgment = tcp.acknowledgment;
  packet.window = tcp.window;
  packet.length = static_cast<std::uint32_t>(tcp.length);
  if ((tcp.flags & TcpFlags::kSyn) != 0) packet.window_scale = tcp.options.window_scale;
  for (const SackBlock& block : std::span(tcp.options.sack_blocks).first(tcp.options.sack_count))
    packet.sack.push_back({block.begin, block.end});
  if (const auto& timestamps = tcp.options.timestamps) {
    packet.tsval = timestamps->value;
    packet.tsecr = timestamps->echo_reply;
  }
  if (const auto& cookie = tcp.options.fast_open)
    packet.fast_open = fmt::format("{:02x}", fmt::join(*cookie, ""));
}

void fill_udp(Packet& packet, const UdpDatagram& udp) {
  packet.source.port = udp.source_port;
  packet.destination.port = udp.destination_port;
  packet.length = static_cast<std::uint32_t>(udp.length);
}

}  // namespace

std::string tcp_flags(std::uint16_t flags) {
  constexpr std::pair<std::uint16_t, char> kLetters[] = {
      {TcpFlags::kFin, 'F'},     {TcpFlags::kSyn, 'S'},           {TcpFlags::kRst, 'R'},
      {TcpFlags::kPush, 'P'},    {TcpFlags::kAck, '.'},           {TcpFlags::kUrgent, 'U'},
      {TcpFlags::kEcnEcho, 'E'}, {TcpFlags::kWindowReduced, 'W'}, {TcpFlags::kAccurateEcn, 'e'}};
  std::string text;
  for (const auto& [flag, letter] : kLetters)
    if ((flags & flag) != 0) text += letter;
  return text.empty() ? "none" : text;
}

std::optional<FlowKey> flow_of(const DecodedFrame& frame) {
  if (!frame.tcp) return std::nullopt;
  return FlowKey{{frame.ip->source, frame.tcp->source_port},
                 {frame.ip->destination, frame.tcp->destination_port}};
}

std::string summarize(const DecodedFrame& frame, const SequenceBases& bases) {
  Words words;
  if (frame.tcp)
    say_tcp(words, *frame.tcp, bases);
  else if (frame.arp)
    say_arp(words, *frame.arp);
  else if (frame.udp)
    say(words, "{} > {}, length {}", frame.udp->source_port, frame.udp->destination_port,
        frame.udp->length);
  else if (frame.icmp)
    say(words, "{}", summarize_icmp(*frame.icmp));
  else
    say_other(words, frame);
  if (!frame.malformed.empty()) say(words, "{}{}", words.size() == 0 ? "" : ", ", frame.malformed);
  return fmt::to_string(words);
}

Packet describe(const DecodedFrame& frame, const SequenceBases& bases) {
  Packet packet = frame.ip ? from_ip(*frame.ip) : Packet{};
  packet.length = static_cast<std::uint32_t>(frame.bytes.size());
  packet.protocol = protocol_of(frame);
  packet.summary = summarize(frame, bases);
  if (frame.arp) {
    packet.source.address = frame.arp->sender;
    packet.destination.address = frame.arp->target;
  }
  if (frame.tcp) fill_tcp(packet, *frame.tcp);
  if (frame.udp) fill_udp(packet, *frame.udp);
  return packet;
}

}  // namespace tcplab::capture
