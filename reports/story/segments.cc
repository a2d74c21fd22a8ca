#include "reports/story/segments.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

// A port scan or a SYN flood makes connections without end; nobody reads numbers that large.
constexpr std::size_t kMostConnections = 4096;
constexpr std::size_t kMostHeld = 1024;

struct Flags {
  bool syn = false;
  bool fin = false;
  bool reset = false;
  bool acknowledges = false;
  bool urgent = false;
};

Flags parse_flags(const std::string& letters) {
  const auto has = [&letters](char letter) { return letters.find(letter) != std::string::npos; };
  return {has('S'), has('F'), has('R'), has('.'), has('U')};
}

/// RFC 9293 section 3.4: sequence numbers are compared modulo 2^32.
bool is_before(std::uint32_t one, std::uint32_t other) { return std::int32_t(one - other) < 0; }

void append(std::string& words, const std::string& word) {
  if (word.empty()) return;
  if (!words.empty()) words += ' ';
  words += word;
}

Paint paint_of(const Flags& flags) {
  if (flags.reset) return Paint::bad;
  return flags.syn || flags.fin ? Paint::strong : Paint::plain;
}

}  // namespace

struct SegmentNumbers {
  int connection = 1;
  std::int32_t sequence = 0;
  std::int32_t acknowledgment = 0;
  bool known = false;  // false: the sender's first sequence number was never seen
  bool again = false;  // all of it was sent before
  bool probe = false;  // keepalive and zero window probes: one byte before the next, without data
};

namespace {

std::string flag_words(const capture::Packet& packet, const Flags& flags) {
  std::string words;
  if (flags.syn) append(words, "SYN");
  if (packet.length != 0) append(words, fmt::format("data {}", packet.length));
  if (flags.fin) append(words, "FIN");
  if (flags.urgent) append(words, "URG");
  if (flags.reset) append(words, "RST");
  if (flags.acknowledges && (words.empty() || flags.syn)) append(words, "ACK");
  return words.empty() ? "no flags" : words;
}

std::string main_words(const capture::Packet& packet, const Flags& flags,
                       const SegmentNumbers& numbers) {
  std::string words = numbers.probe ? "probe" : flag_words(packet, flags);
  if (words == "ACK" || (words == "SYN ACK" && numbers.acknowledgment != 1))
    append(words, std::to_string(numbers.acknowledgment));
  if (numbers.again) append(words, "again");
  // RFC 9293 section 3.8.6.1; a SYN's window is never zero in earnest, a RST's has no meaning.
  if (packet.window == 0 && !flags.reset && !flags.syn) append(words, "win 0");
  if (numbers.connection > 1) append(words, fmt::format("#{}", numbers.connection));
  return words;
}

std::vector<std::string> label_choices(const std::string& words, const capture::Packet& packet,
                                       const Flags& flags, const SegmentNumbers& numbers) {
  const bool pure = packet.length == 0 && !flags.fin && !flags.reset && !numbers.probe;
  if (pure || !numbers.known) return {words};
  const std::string with_sequence = fmt::format("{} seq {}", words, numbers.sequence);
  if (!flags.acknowledges) return {with_sequence, words};
  const std::string with_ack = fmt::format(" ack {}", numbers.acknowledgment);
  if (packet.length == 0) return {with_sequence + with_ack, words + with_ack, words};
  return {with_sequence + with_ack, with_sequence, words};
}

}  // namespace

Segments::Connection& Segments::connection(const Key& key) {
  const auto [found, is_new] = connections_.try_emplace(key);
  if (!is_new) return found->second;
  found->second.number = ++count_;
  oldest_.push_back(key);
  if (oldest_.size() > kMostConnections) {
    connections_.erase(oldest_.front());
    oldest_.pop_front();
  }
  return found->second;
}

int Segments::connection_number(const capture::Endpoint& one, const capture::Endpoint& other) {
  return connection(std::minmax(one, other)).number;
}

SegmentNumbers Segments::follow(const capture::Packet& packet) {
  const Flags flags = parse_flags(packet.flags);
  Connection& known = connection(std::minmax(packet.source, packet.destination));
  // What is forged says nothing of what its pretended sender sends.
  Connection apart = known;
  Connection& pair = packet.fate == capture::Fate::forged ? apart : known;
  const std::size_t sender = packet.source < packet.destination ? 0 : 1;
  Direction& sent = pair.directions[sender];
  Direction& received = pair.directions[1 - sender];
  const std::uint32_t end =
      packet.sequence + packet.length + (flags.syn ? 1 : 0) + (flags.fin ? 1 : 0);
  // A SYN with another number begins a new life of the same pair (RFC 9293 section 3.4.3).
  if (flags.syn && !flags.reset && !(sent.known && sent.first == packet.sequence))
    sent = {true, packet.sequence, packet.sequence};
  SegmentNumbers numbers{.connection = pair.number, .known = sent.known};
  if (!sent.known && !flags.reset) sent = {true, packet.sequence - 1, packet.sequence};
  if (flags.acknowledges && !received.known)
    received = {true, packet.acknowledgment - 1, packet.acknowledgment};
  const bool was_held = held_.erase(packet.frame) != 0;
  const bool occupies = end != packet.sequence;
  // A router that forwards a segment does not send it again.
  const auto [hop, is_new_hop] = sent.hops.try_emplace(packet.from, end);
  numbers.again = occupies && !flags.reset && !was_held && !is_new_hop && !is_copy(packet) &&
                  !is_before(hop->second, end);
  if (is_before(hop->second, end)) hop->second = end;
  numbers.probe = !occupies && packet.flags == "." && packet.sequence == sent.next - 1;
  numbers.known = numbers.known || sent.known;
  numbers.sequence = std::int32_t(packet.sequence - sent.first);
  numbers.acknowledgment = std::int32_t(packet.acknowledgment - received.first);
  if (!flags.reset && is_before(sent.next, end)) sent.next = end;
  const bool comes_again =
      packet.fate == capture::Fate::held || packet.fate == capture::Fate::delayed;
  if (comes_again && held_.size() < kMostHeld) held_.insert(packet.frame);
  return numbers;
}

SegmentText Segments::describe(const capture::Packet& packet) {
  if (packet.protocol != "TCP")
    return {{packet.protocol + " " + packet.summary, packet.summary, packet.protocol}, Paint::dim};
  const Flags flags = parse_flags(packet.flags);
  const SegmentNumbers numbers = follow(packet);
  const std::string words = main_words(packet, flags, numbers);
  return {label_choices(words, packet, flags, numbers), paint_of(flags)};
}

}  // namespace tcplab::reports
