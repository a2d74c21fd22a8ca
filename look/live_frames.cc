#include "look/live_frames.hh"

#include <fstream>
#include <iterator>

#include "capture/calls/stack_copy.hh"
#include "capture/proc/thread_in_call.hh"
#include "capture/runtimes/find_runtime.hh"
#include "capture/stacks/stack_names.hh"

namespace tcplab::look {

namespace {

std::string maps_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

struct LiveFrames::State : capture::LiveRuntime {
  explicit State(pid_t process) : LiveRuntime(process, maps_of(process)) {}

  capture::StackNames names;
};

LiveFrames::LiveFrames(pid_t process) : process_(process) {}
LiveFrames::~LiveFrames() = default;

std::vector<std::string> LiveFrames::of(const capture::ThreadPosition& thread) {
  capture::StackCopy stack = capture::copy_waiting_stack(
      process_, thread.thread, thread.program_counter, thread.stack_pointer);
  if (stack.memory.empty()) return {};
  std::vector<std::string> frames;
  capture::ThreadPosition as_it_sees_itself = thread;
  as_it_sees_itself.thread = capture::own_thread_id(process_, thread.thread);
  if (state().runtime)
    for (const capture::RuntimeFrame& frame : frames_or_none(*state().runtime, as_it_sees_itself))
      frames.push_back(to_text(frame));
  return frames.empty() ? state().names.frames_of_waiting(std::move(stack)) : frames;
}

bool LiveFrames::knows_tasks() { return state().runtime && state().runtime->knows_tasks(); }

std::string LiveFrames::task_word() {
  return std::string(state().runtime ? state().runtime->task_word() : "task");
}

std::optional<std::vector<capture::RuntimeTask>> LiveFrames::tasks() {
  state().memory.renew();
  if (!knows_tasks()) return std::nullopt;
  constexpr int kAttempts = 3;  // the process goes on meanwhile
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      return state().runtime->tasks();
    } catch (const capture::UnreadableMemory&) {
      continue;
    }
  }
  return std::nullopt;
}

std::vector<capture::RuntimeTask> LiveFrames::owners() {
  state().memory.renew();
  if (!state().runtime || knows_tasks()) return {};
  try {
    return state().runtime->tasks();
  } catch (const capture::UnreadableMemory&) {
    return {};
  }
}

bool LiveFrames::polls(const capture::ThreadPosition& thread) {
  state().memory.renew();
  return state().runtime && state().runtime->polls(thread);
}

LiveFrames::State& LiveFrames::state() {
  if (!state_) state_ = std::make_unique<State>(process_);
  return *state_;
}

std::string LiveFrames::runtime() const {
  return state_ && state_->runtime ? state_->runtime->name() : "";
}

}  // namespace tcplab::look
