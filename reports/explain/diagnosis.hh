// Which scenario of the catalogue a connection in somebody's capture looks like, and by which
// evidence. The rules are tables (diagnosis_*.cc), the special before the general; a rule speaks
// only where a capture can tell, and where two scenarios leave the same frames it names both.
#pragma once

#include <string>
#include <vector>

#include "capture/follow/conversation.hh"
#include "capture/follow/conversation_facts.hh"

namespace tcplab::reports {

struct Diagnosis {
  std::string scenario;    // its name in the catalogue
  std::string because;     // a clause: what was seen
  bool is_second = false;  // it leaves the same frames as the one before
};

/// What has the most to say of it comes first; empty where nothing is known that is like it.
std::vector<Diagnosis> diagnoses(const capture::Conversation& conversation,
                                 const capture::ConversationFacts& facts);

}  // namespace tcplab::reports
