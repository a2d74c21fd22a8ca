#include "reports/story/segments.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/story/icmp_label.hh"
#include "reports/text/effect_text.hh"

namespace tcplab::reports {

using capture::SegmentHeader;
using capture::SegmentTrait;
using capture::TrackedPacket;

namespace {

// A port scan or a SYN flood makes connections without end; nobody reads numbers that large.
constexpr std::size_t kMostConnections = 4096;

bool is_urgent(const capture::Packet& packet) {
  return packet.flags.find('U') != std::string::npos;
}

void append_word(std::string& words, const std::string& word) {
  if (word.empty()) return;
  if (!words.empty()) words += ' ';
  words += word;
}

std::vector<std::string> labels_of_other(const capture::Packet& packet) {
  std::vector<std::string> labels = {packet.protocol + " " + packet.summary, packet.summary};
  if (std::string name = icmp_label(packet); !name.empty()) labels.push_back(std::move(name));
  labels.push_back(packet.protocol);
  return labels;
}

Paint paint_of(const SegmentHeader& header) {
  if (header.rst) return Paint::bad;
  return header.syn || header.fin ? Paint::strong : Paint::plain;
}

std::string flag_words(const capture::Packet& packet, const SegmentHeader& header) {
  std::string words;
  if (header.syn) append_word(words, "SYN");
  if (packet.length != 0) append_word(words, fmt::format("data {}", packet.length));
  if (packet.segments != 0) append_word(words, fmt::format("({} segs)", packet.segments));
  if (header.fin) append_word(words, "FIN");
  if (is_urgent(packet)) append_word(words, "URG");
  if (header.rst) append_word(words, "RST");
  if (header.ack && (words.empty() || header.syn)) append_word(words, "ACK");
  return words.empty() ? "no flags" : words;
}

/// Returns a relative sequence number. One below the connection's first is of an older connection,
/// forged, or from before the capture.
std::string number_text(std::int32_t number) {
  if (number >= 0) return std::to_string(number);
  return fmt::format("{} below the first", -std::int64_t{number});
}

std::string main_words(const capture::Packet& packet, const SegmentHeader& header,
                       const TrackedPacket& tracked, int connection) {
  std::string words = tracked.traits.is_probe() ? "probe" : flag_words(packet, header);
  if (words == "ACK" || (words == "SYN ACK" && tracked.acknowledgment != 1))
    append_word(words, number_text(tracked.acknowledgment));
  if (tracked.traits.has(SegmentTrait::retransmission)) append_word(words, "again");
  if (tracked.traits.has(SegmentTrait::zero_window)) append_word(words, "win 0");
  if (connection > 1) append_word(words, fmt::format("#{}", connection));
  return words;
}

std::vector<std::string> label_choices(const std::string& words, const capture::Packet& packet,
                                       const SegmentHeader& header, const TrackedPacket& tracked) {
  const bool is_pure =
      packet.length == 0 && !header.fin && !header.rst && !tracked.traits.is_probe();
  if (is_pure && tracked.acknowledgment < 0) {
    const std::string flags = flag_words(packet, header);
    return {words, flags + " below the first", flags};
  }
  if (is_pure || !tracked.has_sequence) return {words};
  const std::string with_sequence = fmt::format("{} seq {}", words, number_text(tracked.sequence));
  if (tracked.sequence < 0) return {with_sequence, words + " seq below the first", words};
  if (!header.ack) return {with_sequence, words};
  const std::string with_ack = " ack " + number_text(tracked.acknowledgment);
  if (packet.length == 0) return {with_sequence + with_ack, words + with_ack, words};
  return {with_sequence + with_ack, with_sequence, words};
}

}  // namespace

int Segments::connection_number(const capture::Endpoint& one, const capture::Endpoint& other) {
  const Key key = std::minmax(one, other);
  const auto [found, is_new] = numbers_.try_emplace(key);
  if (!is_new) return found->second;
  found->second = ++count_;
  oldest_.push_back(key);
  if (oldest_.size() > kMostConnections) {
    numbers_.erase(oldest_.front());
    oldest_.pop_front();
  }
  return count_;
}

SegmentText Segments::describe(const capture::Packet& packet) {
  if (packet.protocol != "TCP") return {labels_of_other(packet), Paint::dim};
  const SegmentHeader header = capture::header_of(packet);
  const TrackedPacket tracked = tracker_.note(packet);
  const int connection = connection_number(packet.source, packet.destination);
  const std::string words = main_words(packet, header, tracked, connection);
  return {label_choices(words, packet, header, tracked), paint_of(header)};
}

}  // namespace tcplab::reports
