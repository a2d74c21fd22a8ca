// Names the scenario of the catalogue that a captured connection looks like, and the evidence. The
// rules are tables (diagnosis_*.cc), special rules before general ones. A rule applies only if a
// capture can show the evidence. If two scenarios leave the same frames, it names both.
#pragma once

#include <string>
#include <vector>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"

namespace tcplab::reports {

struct Diagnosis {
  std::string scenario;    // its name in the catalogue; empty if none shows it
  std::string because;     // a clause: what was seen
  bool is_second = false;  // it leaves the same frames as the previous one
  std::string others{};    // further causes of the same frames; empty if none
};

/// Returns the diagnoses, the most specific first; empty if no rule applies.
std::vector<Diagnosis> diagnoses(const capture::Conversation& conversation,
                                 const capture::ConversationFacts& facts);

}  // namespace tcplab::reports
