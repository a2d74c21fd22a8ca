#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

using base::IpAddress;
using capture::DecodedFrame;
using capture::TcpFlags;

namespace {

constexpr std::uint32_t kFirst[] = {0xfffffff0U, 5000};
constexpr std::uint16_t kPorts[] = {40000, 8080};

IpAddress address(std::size_t end) {
  return IpAddress::parse(end == 0 ? "10.0.0.1" : "10.0.0.2").value();
}

std::uint16_t flags_of(const std::string& text) {
  std::uint16_t flags = 0;
  for (const char letter : text) {
    if (letter == 'S') flags |= TcpFlags::kSyn;
    if (letter == 'F') flags |= TcpFlags::kFin;
    if (letter == 'R') flags |= TcpFlags::kRst;
    if (letter == 'U') flags |= TcpFlags::kUrgent;
    if (letter == 'E') flags |= TcpFlags::kEcnEcho;
    if (letter == 'W') flags |= TcpFlags::kWindowReduced;
    if (letter == '.') flags |= TcpFlags::kAck;
  }
  return flags;
}

}  // namespace

SeenTalk::SeenTalk() : conversation_({{address(0), kPorts[0]}, {address(1), kPorts[1]}}, 0) {}

SeenTalk& SeenTalk::wait(std::int64_t milliseconds) {
  at_ += milliseconds * 1'000'000;
  return *this;
}

SeenTalk& SeenTalk::say(std::size_t sender, const std::string& flags, const Said& said) {
  DecodedFrame frame;
  auto& ip = frame.ip.emplace();
  ip.source = address(sender);
  ip.destination = address(1 - sender);
  ip.hop_limit = said.hop_limit;
  if (!said.is_same_packet) ++identification_;
  ip.identification = identification_;
  auto& tcp = frame.tcp.emplace();
  tcp.source_port = kPorts[sender];
  tcp.destination_port = kPorts[1 - sender];
  tcp.flags = flags_of(flags);
  tcp.sequence = kFirst[sender] + said.sequence;
  tcp.acknowledgment = kFirst[1 - sender] + said.acknowledgment;
  tcp.length = said.length;
  tcp.window = said.window;
  if (said.sack_from > 0) {
    tcp.options.sack_count = 1;
    tcp.options.sack_blocks[0] = {kFirst[1 - sender] + said.sack_from,
                                  kFirst[1 - sender] + said.sack_from + 100};
  }
  if (said.stamp > 0) tcp.options.timestamps = {said.stamp, 0};
  if (said.scale > 0) tcp.options.window_scale = said.scale;
  if (said.segment_size > 0) tcp.options.maximum_segment_size = said.segment_size;
  tcp.options.sack_permitted = said.sack_permitted;
  at_ += 100'000;
  const auto duplicate = duplicates_.note(frame, at_);
  if (duplicate == capture::Duplicate::forwarded) {
    facts.note_forwarded(frame, sender);
    return *this;
  }
  if (duplicate == capture::Duplicate::copied) {
    facts.note_copy(frame, sender);
    return *this;
  }
  const auto reading = conversation_.note(frame, at_);
  facts.note(frame, at_, conversation_, reading, duplicate);
  return *this;
}

SeenTalk& SeenTalk::shake_hands() {
  return say(0, "S", {}).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
}

SeenTalk& SeenTalk::icmp(std::size_t sender, std::uint8_t type, std::uint8_t code,
                         std::uint32_t quoted, std::uint32_t mtu) {
  DecodedFrame frame;
  frame.ip.emplace().source = IpAddress::parse("10.0.0.254").value();
  auto& icmp = frame.icmp.emplace();
  icmp.type = type;
  icmp.code = code;
  icmp.mtu = mtu;
  auto& packet = icmp.quoted.emplace();
  packet.source = {address(sender), kPorts[sender]};
  packet.destination = {address(1 - sender), kPorts[1 - sender]};
  packet.sequence = kFirst[sender] + quoted;
  facts.note_icmp(frame, sender, conversation_);
  return *this;
}

std::string SeenTalk::looks_like() const {
  std::string names;
  for (const Diagnosis& diagnosis : diagnoses(conversation_, facts))
    names += (names.empty() ? "" : " ") + diagnosis.scenario;
  return names;
}

std::string SeenTalk::because(const std::string& scenario) const {
  for (const Diagnosis& diagnosis : diagnoses(conversation_, facts))
    if (diagnosis.scenario == scenario) return diagnosis.because;
  return "";
}

std::string SeenTalk::or_else(const std::string& scenario) const {
  for (const Diagnosis& diagnosis : diagnoses(conversation_, facts))
    if (diagnosis.scenario == scenario) return diagnosis.others;
  return "";
}

}  // namespace tcplab::reports::tests
