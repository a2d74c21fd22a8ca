#include "lab/watch/named_lines.hh"

#include <utility>

#include "capture/event/event_json.hh"

namespace tcplab::lab {

void NamedLines::add(capture::TracedProgram program, capture::Event event,
                     std::optional<capture::ProgramStack> stack) {
  const bool has_stack = stack.has_value();
  if (has_stack) ++waiting_;
  naming_.add(std::move(stack), [this, program, has_stack, named = std::move(event)](
                                    capture::NamingThread::Frames frames) mutable {
    if (has_stack) --waiting_;
    if (auto* call = std::get_if<capture::Call>(&named.body)) call->stack = std::move(frames);
    put({.program = program, .text = capture::to_json_line(named) + "\n"});
  });
}

void NamedLines::add(NamedLine line) {
  naming_.add(std::nullopt,
              [this, line = std::move(line)](const capture::NamingThread::Frames&) mutable {
                put(std::move(line));
              });
}

void NamedLines::put(NamedLine line) {
  const std::lock_guard lock(mutex_);
  ready_.push_back(std::move(line));
}

std::vector<NamedLine> NamedLines::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ready_, {});
}

}  // namespace tcplab::lab
