#include "capture/stacks/program_stack.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <mutex>

#include "capture/proc/thread_in_call.hh"
#include "capture/runtimes/find_runtime.hh"

namespace tcplab::capture {

namespace {

std::shared_ptr<const Runtime> read_runtime(pid_t process,
                                            const std::shared_ptr<const std::string>& maps) {
  const auto owned = std::make_shared<const LiveRuntime>(process, *maps);
  return {owned, owned->runtime.get()};
}

/// The first mapping, which execve(2) moves.
std::string_view first_line(std::string_view maps) { return maps.substr(0, maps.find('\n')); }

}  // namespace

struct StackReader::Known {
  std::shared_ptr<const std::string> maps{};  // when it was looked for
  std::shared_ptr<const Runtime> runtime{};

  /// Whether the process still runs the same program.
  bool is_of(std::string_view now) const { return maps && first_line(*maps) == first_line(now); }

  /// Whether nothing else can be found now. A program without a runtime may load one later.
  bool is_current(std::string_view now) const { return is_of(now) && (runtime || *maps == now); }
};

struct StackReader::Prepared {
  std::mutex mutex;
  std::unordered_map<pid_t, Known> found;
};

StackReader::StackReader() : prepared_(std::make_shared<Prepared>()) {}
StackReader::~StackReader() = default;

const StackReader::Known& StackReader::remember(pid_t process, Known known) {
  // Symbols take megabytes. A server may start many workers.
  constexpr std::size_t kMostProcesses = 16;
  if (known_.size() >= kMostProcesses && !known_.contains(process)) known_.clear();
  return known_[process] = std::move(known);
}

const StackReader::Known& StackReader::known(const StackCopy& stack) {
  const auto found = known_.find(stack.process);
  if (found != known_.end() && found->second.is_current(*stack.maps)) return found->second;
  return remember(stack.process,
                  {.maps = stack.maps, .runtime = read_runtime(stack.process, stack.maps)});
}

std::optional<ProgramStack> StackReader::read(pid_t process, pid_t thread) {
  auto native = copier_.copy(process, thread);
  if (!native) return std::nullopt;
  ProgramStack stack{.native = std::move(*native)};
  stack.runtime = known(stack.native).runtime;
  stack.language = language_of(stack, thread);
  return stack;
}

std::optional<ProgramStack> StackReader::copy_waiting(pid_t process, pid_t thread) {
  std::string text;
  std::getline(std::ifstream(fmt::format("/proc/{}/task/{}/syscall", process, thread)), text);
  const ThreadPosition at = position_in_call(thread, text);
  if (at.stack_pointer == 0) return std::nullopt;
  ProgramStack stack{.native =
                         copy_waiting_stack(process, thread, at.program_counter, at.stack_pointer)};
  if (stack.native.memory.empty()) return std::nullopt;
  return stack;
}

void StackReader::take_prepared() {
  const std::lock_guard lock(prepared_->mutex);
  for (auto& [process, known] : prepared_->found) remember(process, std::move(known));
  prepared_->found.clear();
}

bool StackReader::is_prepared(const ProgramStack& stack) {
  take_prepared();
  const auto found = known_.find(stack.native.process);
  return found != known_.end() && found->second.is_current(*stack.native.maps);
}

std::function<void()> StackReader::preparation(const ProgramStack& stack) const {
  return [prepared = prepared_, process = stack.native.process, maps = stack.native.maps] {
    Known known{.maps = maps, .runtime = read_runtime(process, maps)};
    const std::lock_guard lock(prepared->mutex);
    prepared->found[process] = std::move(known);
  };
}

void StackReader::add_language(ProgramStack& stack, pid_t thread) {
  take_prepared();
  const auto found = known_.find(stack.native.process);
  if (found == known_.end() || !found->second.is_of(*stack.native.maps)) return;
  stack.runtime = found->second.runtime;
  stack.language = language_of(stack, thread);
}

std::vector<RuntimeFrame> StackReader::language_of(const ProgramStack& stack, pid_t thread) {
  if (!stack.runtime) return {};
  return frames_or_none(*stack.runtime, {.thread = own_thread_id(stack.native.process, thread),
                                         .program_counter = stack.native.program_counter,
                                         .stack_pointer = stack.native.stack_pointer});
}

std::vector<std::string> with_language(std::vector<std::string> native, const ProgramStack& stack) {
  if (stack.language.empty()) return native;
  const auto interpreter = std::ranges::find_if(native, [&stack](const std::string& frame) {
    return stack.runtime->is_interpreter(frame) || frame.ends_with("(perf map)");
  });
  native.erase(interpreter, native.end());
  for (const RuntimeFrame& frame : stack.language) native.push_back(to_text(frame));
  return native;
}

}  // namespace tcplab::capture
