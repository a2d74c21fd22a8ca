// The question that a scenario asks its reader.
#pragma once

#include <string>
#include <vector>

namespace tcplab::capture {

/// An answer that a quiz offers.
struct Choice {
  std::string text;
  bool right = false;
  std::string because;  // why it is right or wrong; empty if there is nothing to add
};

/// What a quiz asks before it shows the run. Exactly one choice is right.
struct Question {
  std::string asks;
  std::vector<Choice> choices;
};

}  // namespace tcplab::capture
