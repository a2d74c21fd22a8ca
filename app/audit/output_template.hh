// What a client's output has in common from run to run: an id, a time or a rate differs by itself.
#pragma once

#include <string>
#include <vector>

namespace tcplab::app {

/// Marks in a template. judge.lib.lua reads them.
inline constexpr char kAnyToken = '\1';  // any characters, but no blank
inline constexpr char kAnyLine = '\2';   // the whole line
inline constexpr char kAnyLines = '\3';  // any number of lines, also none

struct OutputTemplate {
  std::string text{};  // the output, with marks instead of what differs
  std::vector<std::string>
      masks{};  // what they hide, as the first output has it; empty: they agree
};

/// Compares the outputs of two runs without a failure. An output that has the bytes of marks
/// is not masked.
OutputTemplate template_of(const std::string& first, const std::string& second);

}  // namespace tcplab::app
