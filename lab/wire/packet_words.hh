// The words that select packets beside pcap filters: "RST", "SYN ACK", "zero window". Words about
// flags are about the header alone. Words about the sender ("retransmission", "keepalive probe")
// mean what Wireshark means by them, and need the frames before.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lab/wire/packet_facts.hh"

namespace tcplab::lab {

enum class PacketWord : std::uint8_t {
  syn,
  syn_ack,
  ack_only,
  fin,
  rst,
  rst_ack,
  rst_only,
  urg,
  data,
  zero_window,
  window_update,
  window_probe,
  keepalive_probe,
  retransmission,
  duplicate_ack,
  icmp_error,
};

struct PacketWordName {
  std::string_view name;  // "SYN ACK"
  PacketWord word;
};

/// All words, as scripts write them.
std::span<const PacketWordName> packet_words();
/// Returns the word of exactly that name.
std::optional<PacketWord> packet_word(std::string_view name);

bool matches(PacketWord word, const PacketFacts& facts);

/// Values that fields of a segment must have; a frame without TCP has none of them.
struct PacketFields {
  std::optional<std::int64_t> sequence;  // relative
  std::optional<std::int64_t> acknowledgment;
  std::optional<std::int64_t> window;  // as in the header, not scaled
  std::optional<std::int64_t> length;  // bytes of data

  bool any() const { return sequence || acknowledgment || window || length; }
  bool match(const PacketFacts& facts) const;
  std::string describe() const;  // "seq 1, length 22"; empty without any
};

}  // namespace tcplab::lab
