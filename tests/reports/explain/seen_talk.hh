// A connection of 10.0.0.1:40000 (end 0) and 10.0.0.2:8080, as a capture would have it: for tests
// of what it looks like. Sequence numbers are relative; each segment is a new packet unless said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/follow/conversation_facts.hh"
#include "reports/explain/diagnosis.hh"

namespace tcplab::reports::tests {

struct Said {
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;
  std::size_t length = 0;
  std::uint16_t window = 500;
  std::uint32_t sack_from = 0;  // one block of 100 octets; 0: none
  std::uint8_t hop_limit = 64;
  bool is_same_packet = false;  // as the one before: a copy, or forwarded on its way
};

class SeenTalk {
public:
  SeenTalk();

  /// `flags` as tcpdump writes them: "S", "S.", ".", "F.", "R", "R.", "SEW", "U.", "-" for none.
  SeenTalk& say(std::size_t sender, const std::string& flags, const Said& said);
  SeenTalk& wait(std::int64_t milliseconds);
  SeenTalk& shake_hands();
  /// An ICMP error (RFC 792 type and code) from a router about what `sender` has sent.
  SeenTalk& icmp(std::size_t sender, std::uint8_t type, std::uint8_t code, std::uint32_t quoted,
                 std::uint32_t mtu = 0);

  /// "power-off path-mtu-black-hole".
  std::string looks_like() const;
  /// The words for it; empty where it is not named.
  std::string because(const std::string& scenario) const;

  capture::ConversationFacts facts;

private:
  capture::Conversation conversation_;
  capture::DuplicateDetector duplicates_{capture::Interfaces::one};
  std::uint16_t identification_ = 1;
  std::int64_t at_ = 1'000'000;
};

}  // namespace tcplab::reports::tests
