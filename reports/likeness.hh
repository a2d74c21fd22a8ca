// Which scenario of the catalogue a connection in somebody's capture looks like.
#pragma once

#include <string>
#include <vector>

#include "capture/conversation.hh"

namespace tcplab::reports {

struct Likeness {
  std::string scenario;  // its name in the catalogue
  std::string because;   // completes "because ..."
};

/// What has the most to say of it comes first; empty where nothing is known that is like it.
std::vector<Likeness> likenesses(const capture::Conversation& conversation);

}  // namespace tcplab::reports
