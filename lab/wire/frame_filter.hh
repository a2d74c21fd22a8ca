// Selects frames for a fault or an expectation: by sender and receiver, by a packet word or a pcap
// filter, and by fields of the TCP header.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/files/filter.hh"
#include "lab/wire/packet_words.hh"
#include "netns/port.hh"

namespace tcplab::lab {

/// A frame as faults and expectations see it.
struct FrameView {
  const std::string& from;
  const std::string& to;  // empty: a broadcast
  netns::Bytes bytes;
  std::string_view link{};             // where it was sent; empty if the run has only one link
  const PacketFacts* facts = nullptr;  // null: only what its bytes say
};

/// A direction ("kang > kodos"; empty: both), an expression (empty: every frame), and fields. An
/// expression that is exactly a packet word is that word; any other is a pcap filter.
class FrameFilter {
public:
  /// Throws base::UsageError for a direction or filter that is not valid.
  FrameFilter(const std::string& direction, const std::string& expression,
              const PacketFields& fields = {});

  bool matches(const FrameView& frame) const;
  std::string describe() const;  // "kang > kodos, RST, seq 1"
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }
  /// The expression and the fields, for people: "RST, seq 1".
  std::string what() const;

private:
  bool facts_match(const FrameView& frame) const;

  std::string from_;
  std::string to_;
  std::string expression_;
  PacketFields fields_;
  std::optional<PacketWord> word_;
  std::optional<capture::PacketFilter> filter_;
};

}  // namespace tcplab::lab
