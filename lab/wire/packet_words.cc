#include "lab/wire/packet_words.hh"

#include <algorithm>
#include <array>

namespace tcplab::lab {

using capture::SegmentHeader;
using capture::SegmentTrait;

namespace {

constexpr std::array kWords = {
    PacketWordName{"SYN", PacketWord::syn},
    PacketWordName{"SYN ACK", PacketWord::syn_ack},
    PacketWordName{"ACK only", PacketWord::ack_only},
    PacketWordName{"FIN", PacketWord::fin},
    PacketWordName{"RST", PacketWord::rst},
    PacketWordName{"RST ACK", PacketWord::rst_ack},
    PacketWordName{"RST only", PacketWord::rst_only},
    PacketWordName{"URG", PacketWord::urg},
    PacketWordName{"data", PacketWord::data},
    PacketWordName{"zero window", PacketWord::zero_window},
    PacketWordName{"window update", PacketWord::window_update},
    PacketWordName{"window probe", PacketWord::window_probe},
    PacketWordName{"keepalive probe", PacketWord::keepalive_probe},
    PacketWordName{"retransmission", PacketWord::retransmission},
    PacketWordName{"duplicate ACK", PacketWord::duplicate_ack},
    PacketWordName{"ICMP error", PacketWord::icmp_error},
};

bool header_matches(PacketWord word, const SegmentHeader& segment, const PacketFacts& facts) {
  switch (word) {
    case PacketWord::syn:
      return segment.syn && !segment.ack;
    case PacketWord::syn_ack:
      return segment.syn && segment.ack;
    case PacketWord::ack_only:
      return segment.ack && segment.is_plain() && segment.length == 0;
    case PacketWord::fin:
      return segment.fin;
    case PacketWord::rst:
      return segment.rst;
    case PacketWord::rst_ack:
      return segment.rst && segment.ack;
    case PacketWord::rst_only:
      return segment.rst && !segment.ack;
    case PacketWord::urg:
      return facts.is_urgent;
    case PacketWord::data:
      return segment.length > 0;
    case PacketWord::zero_window:
      return segment.window == 0 && !segment.syn && !segment.rst;
    case PacketWord::window_update:
      return facts.traits.has(SegmentTrait::window_update);
    case PacketWord::window_probe:
      return facts.traits.has(SegmentTrait::window_probe);
    case PacketWord::keepalive_probe:
      return facts.traits.has(SegmentTrait::keepalive_probe);
    case PacketWord::retransmission:
      return facts.traits.has(SegmentTrait::retransmission);
    case PacketWord::duplicate_ack:
      return facts.traits.has(SegmentTrait::duplicate_ack);
    case PacketWord::icmp_error:
      return false;
  }
  return false;
}

}  // namespace

std::span<const PacketWordName> packet_words() { return kWords; }

std::optional<PacketWord> packet_word(std::string_view name) {
  const auto* const found = std::ranges::find(kWords, name, &PacketWordName::name);
  if (found == kWords.end()) return std::nullopt;
  return found->word;
}

bool matches(PacketWord word, const PacketFacts& facts) {
  if (word == PacketWord::icmp_error) return facts.is_icmp_error;
  return facts.segment && header_matches(word, *facts.segment, facts);
}

bool PacketFields::match(const PacketFacts& facts) const {
  if (!any()) return true;
  return facts.segment && (!sequence || *sequence == facts.sequence) &&
         (!acknowledgment || *acknowledgment == facts.acknowledgment) &&
         (!window || *window == facts.segment->window) &&
         (!length || *length == facts.segment->length);
}

std::string PacketFields::describe() const {
  std::string text;
  const auto add = [&text](const char* name, const std::optional<std::int64_t>& value) {
    if (value) text += (text.empty() ? "" : ", ") + (name + (" " + std::to_string(*value)));
  };
  add("seq", sequence);
  add("ack", acknowledgment);
  add("win", window);
  add("length", length);
  return text;
}

}  // namespace tcplab::lab
