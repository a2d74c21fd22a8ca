// Makes a connection between 10.0.0.1:40000 (end 0) and 10.0.0.2:8080 (end 1), as a capture has it,
// for tests of diagnoses. Sequence numbers are relative. Each segment is a new packet unless
// is_same_packet is set.
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
  std::uint32_t sack_from = 0;  // the start of one block of 100 octets; 0 for none
  std::uint8_t hop_limit = 64;
  bool is_same_packet = false;     // as the previous one: a copy, or forwarded by a router
  std::uint32_t stamp = 0;         // TSval (RFC 7323); 0 for none
  std::uint8_t scale = 0;          // of the window, in a SYN (RFC 7323); 0 for none
  std::uint16_t segment_size = 0;  // the MSS, in a SYN; 0 for none
  bool sack_permitted = false;     // in a SYN
};

/// Returns true if the text has the part.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class SeenTalk {
public:
  SeenTalk();

  /// `flags` as tcpdump writes them: "S", "S.", ".", "F.", "R", "R.", "SEW", "U.", "-" for none.
  SeenTalk& say(std::size_t sender, const std::string& flags, const Said& said);
  SeenTalk& wait(std::int64_t milliseconds);
  SeenTalk& shake_hands();
  /// Adds an ICMP error (RFC 792 type and code) from a router, about a segment that `sender` sent.
  SeenTalk& icmp(std::size_t sender, std::uint8_t type, std::uint8_t code, std::uint32_t quoted,
                 std::uint32_t mtu = 0);

  /// Returns the names of the scenarios, such as "power-off path-mtu-black-hole"; empty if none.
  std::string looks_like() const;
  /// Returns the reason for naming this scenario; empty if it is not named.
  std::string because(const std::string& scenario) const;
  /// Returns the further causes beside this scenario; empty if it is not named.
  std::string or_else(const std::string& scenario) const;

  capture::ConversationFacts facts;

private:
  capture::Conversation conversation_;
  capture::DuplicateDetector duplicates_{capture::Interfaces::one};
  std::uint16_t identification_ = 1;
  std::int64_t at_ = 1'000'000;
};

}  // namespace tcplab::reports::tests
