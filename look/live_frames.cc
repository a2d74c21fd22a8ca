#include "look/live_frames.hh"

#include "capture/calls/stack_copy.hh"
#include "capture/runtimes/find_runtime.hh"
#include "capture/stacks/stack_names.hh"

namespace tcplab::look {

struct LiveFrames::State {
  State(pid_t process, const std::string& maps)
      : memory(process), image(process, maps), runtime(find_runtime(image, memory)) {}

  capture::LiveMemory memory;
  capture::ProcessImage image;
  std::unique_ptr<capture::Runtime> runtime;
  capture::StackNames names;
};

LiveFrames::LiveFrames(pid_t process) : process_(process) {}
LiveFrames::~LiveFrames() = default;

std::vector<std::string> LiveFrames::of(const capture::ThreadPosition& thread) {
  capture::StackCopy stack = capture::copy_waiting_stack(
      process_, thread.thread, thread.program_counter, thread.stack_pointer);
  if (stack.memory.empty()) return {};
  if (!state_) state_ = std::make_unique<State>(process_, *stack.maps);
  std::vector<std::string> frames;
  capture::ThreadPosition as_it_sees_itself = thread;
  as_it_sees_itself.thread = capture::own_thread_id(process_, thread.thread);
  if (state_->runtime)
    for (const capture::RuntimeFrame& frame : frames_or_none(*state_->runtime, as_it_sees_itself))
      frames.push_back(to_text(frame));
  return frames.empty() ? state_->names.frames_of_waiting(std::move(stack)) : frames;
}

std::string LiveFrames::runtime() const {
  return state_ && state_->runtime ? state_->runtime->name() : "";
}

}  // namespace tcplab::look
