#include "reports/explain/undecoded_frames.hh"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "reports/explain/diagnosis_rules.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

using capture::Undecoded;

namespace {

struct Known {
  std::uint32_t number;
  const char* name;
};

// https://www.iana.org/assignments/ieee-802-numbers
constexpr Known kEtherTypes[] = {{4, "LLC, such as STP"},
                                 {0x0842, "Wake-on-LAN"},
                                 {0x8035, "RARP"},
                                 {0x809b, "AppleTalk"},
                                 {0x8137, "IPX"},
                                 {0x8808, "Ethernet flow control"},
                                 {0x8809, "LACP"},
                                 {0x8863, "PPPoE discovery"},
                                 {0x886d, "Intel ANS"},
                                 {0x8892, "PROFINET"},
                                 {0x888e, "EAPOL"},
                                 {0x88a4, "EtherCAT"},
                                 {0x88b8, "GOOSE"},
                                 {0x88cc, "LLDP"},
                                 {0x88e1, "HomePlug"},
                                 {0x88e5, "MACsec"},
                                 {0x88e7, "provider backbone bridging"},
                                 {0x88f7, "PTP"},
                                 {0x8902, "CFM"},
                                 {0x8906, "FCoE"},
                                 {0x894f, "NSH"},
                                 {0x9000, "loopback tests"}};
// https://www.iana.org/assignments/protocol-numbers
constexpr Known kProtocols[] = {
    {2, "IGMP"},        {33, "DCCP"},    {46, "RSVP"},  {50, "IPsec (ESP)"}, {58, "ICMPv6"},
    {59, "no payload"}, {88, "EIGRP"},   {89, "OSPF"},  {97, "EtherIP"},     {103, "PIM"},
    {112, "VRRP"},      {115, "L2TPv3"}, {132, "SCTP"}, {136, "UDP-Lite"}};
constexpr Known kPorts[] = {{1701, "L2TP"},      {3544, "Teredo"}, {4500, "IPsec or IKE"},
                            {4790, "VXLAN-GPE"}, {37008, "TZSP"},  {51820, "WireGuard"}};
constexpr Known kPppProtocols[] = {{0x002d, "compressed TCP/IP (RFC 1144)"},
                                   {0x002f, "TCP/IP (RFC 1144)"},
                                   {0x003d, "PPP multilink"},
                                   {0x0053, "encrypted PPP"},
                                   {0x00fd, "compressed PPP"},
                                   {0x8021, "IPCP"},
                                   {0x8057, "IPV6CP"},
                                   {0x80fd, "CCP"},
                                   {0xc021, "LCP"},
                                   {0xc023, "PAP"},
                                   {0xc223, "CHAP"}};
// https://www.tcpdump.org/linktypes.html
constexpr Known kLinkTypes[] = {
    {6, "Token Ring"},  {10, "FDDI"},     {100, "ATM (RFC 1483)"}, {143, "DOCSIS"},
    {187, "Bluetooth"}, {189, "USB"},     {195, "IEEE 802.15.4"},  {201, "Bluetooth"},
    {220, "USB"},       {227, "CAN"},     {230, "IEEE 802.15.4"},  {247, "InfiniBand"},
    {249, "USB"},       {253, "netlink"}, {254, "Bluetooth"}};

std::string known_or(std::span<const Known> table, std::uint32_t number, std::string otherwise) {
  const auto found = std::ranges::find(table, number, &Known::number);
  return found == table.end() ? std::move(otherwise) : found->name;
}

}  // namespace

std::string name(const Undecoded& undecoded) {
  const std::uint32_t number = undecoded.number;
  switch (undecoded.kind) {
    case Undecoded::Kind::link_type:
      return known_or(kLinkTypes, number, fmt::format("link type {}", number));
    case Undecoded::Kind::ether_type:
      return known_or(kEtherTypes, number, fmt::format("EtherType 0x{:04x}", number));
    case Undecoded::Kind::ip_protocol:
      return known_or(kProtocols, number, fmt::format("IP protocol {}", number));
    case Undecoded::Kind::udp_port:
      return known_or(kPorts, number, fmt::format("UDP port {}", number));
    case Undecoded::Kind::ppp_protocol:
      return known_or(kPppProtocols, number, fmt::format("PPP protocol 0x{:04x}", number));
    case Undecoded::Kind::nlpid:
      return fmt::format("Frame Relay protocol 0x{:02x}", number);
    case Undecoded::Kind::nested:
      return fmt::format("more than {} tunnels within each other", number);
    case Undecoded::Kind::wifi_control:
      return "802.11 management and control";
    case Undecoded::Kind::wifi_secret:
      return "encrypted 802.11";
    case Undecoded::Kind::wifi_amsdu:
      return "802.11 A-MSDU";
    case Undecoded::Kind::pseudowire:
      return "an MPLS pseudowire";
  }
  return "";
}

void UndecodedFrames::note(const capture::DecodedFrame& frame) {
  if (frame.tcp) return;
  if (frame.undecoded)
    ++frames_[*frame.undecoded];
  else if (!frame.malformed.empty() && !frame.icmp && !frame.udp && !frame.arp)
    ++malformed_[frame.malformed];
  else
    return;
  ++total_;
}

std::vector<UndecodedFrames::Count> UndecodedFrames::counts() const {
  std::vector<Count> counts;
  for (const auto& [undecoded, frames] : frames_) {
    const auto same = std::ranges::find(counts, name(undecoded), &Count::name);
    if (same == counts.end())
      counts.push_back({name(undecoded), frames});
    else
      same->frames += frames;
  }
  for (const auto& [what, frames] : malformed_)
    counts.push_back({fmt::format("damage ({})", what), frames});
  std::ranges::stable_sort(counts, std::ranges::greater{}, &Count::frames);
  return counts;
}

std::string words_of(const std::vector<UndecodedFrames::Count>& counts) {
  constexpr std::size_t kMostNames = 5;
  std::string text;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i >= kMostNames)
      rest += counts[i].frames;
    else if (i == 0)
      text = fmt::format("{} of {}", counted(counts[i].frames, "frame"), counts[i].name);
    else
      text += fmt::format(", {} of {}", counts[i].frames, counts[i].name);
  }
  if (rest > 0) text += fmt::format(", and {} others", rest);
  return text;
}

}  // namespace tcplab::reports
