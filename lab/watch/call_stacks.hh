// Names the stacks that an agent has copied. They come in the lines about a program, each before
// its call. The agent cannot name them itself: that takes a library and megabytes.
#pragma once

#include <optional>
#include <string_view>

#include "capture/event/event.hh"
#include "capture/stacks/stack_names.hh"

namespace tcplab::lab {

class CallStacks {
public:
  /// Keeps the stack in the line, for the next call. Returns false for a line without a stack.
  bool take(std::string_view line);
  /// Gives the call the frames of the stack before it, if there was one. Takes up to half a second
  /// for the first stack of a program with much debug information.
  void name(capture::Call& call);

private:
  std::optional<capture::StackCopy> stack_;
  capture::StackNames names_;
};

}  // namespace tcplab::lab
