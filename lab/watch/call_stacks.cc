#include "lab/watch/call_stacks.hh"

#include "capture/calls/stack_text.hh"

namespace tcplab::lab {

bool CallStacks::take(std::string_view line) {
  auto stack = capture::parse_stack_copy(line);
  if (!stack) return false;
  stack_ = std::move(stack);
  return true;
}

void CallStacks::name(capture::Call& call) {
  if (stack_) call.stack = names_.frames(*stack_);
  stack_.reset();
}

}  // namespace tcplab::lab
