#include "capture/stacks/program_stack.hh"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>

#include "capture/runtimes/find_runtime.hh"

namespace tcplab::capture {

namespace {

/// What a runtime needs as long as it lives.
struct OwnedRuntime {
  OwnedRuntime(pid_t process, std::string_view maps)
      : memory(process), image(process, maps), runtime(find_runtime(image, memory)) {}

  LiveMemory memory;
  ProcessImage image;
  std::unique_ptr<Runtime> runtime;
};

std::shared_ptr<const Runtime> read_runtime(const StackCopy& stack) {
  const auto owned = std::make_shared<const OwnedRuntime>(stack.process, *stack.maps);
  return {owned, owned->runtime.get()};
}

/// The first mapping, which execve(2) moves.
std::string_view first_line(std::string_view maps) { return maps.substr(0, maps.find('\n')); }

}  // namespace

struct StackReader::Known {
  std::shared_ptr<const std::string> maps{};  // when it was looked for
  std::shared_ptr<const Runtime> runtime{};
};

StackReader::StackReader() = default;
StackReader::~StackReader() = default;

const StackReader::Known& StackReader::known(const StackCopy& stack) {
  // Symbols take megabytes. A server may start many workers.
  constexpr std::size_t kMostProcesses = 16;
  if (known_.size() >= kMostProcesses && !known_.contains(stack.process)) known_.clear();
  Known& known = known_[stack.process];
  const bool is_same = known.maps && first_line(*known.maps) == first_line(*stack.maps);
  // A program without a runtime may load one later.
  if (is_same && (known.runtime || known.maps == stack.maps)) return known;
  known = {.maps = stack.maps, .runtime = read_runtime(stack)};
  return known;
}

std::optional<ProgramStack> StackReader::read(pid_t process, pid_t thread) {
  auto native = copier_.copy(process, thread);
  if (!native) return std::nullopt;
  ProgramStack stack{.native = std::move(*native)};
  stack.runtime = known(stack.native).runtime;
  stack.language = language_of(stack, thread);
  return stack;
}

std::optional<ProgramStack> StackReader::read_waiting(pid_t process, pid_t thread) {
  std::string text;
  std::getline(std::ifstream(fmt::format("/proc/{}/task/{}/syscall", process, thread)), text);
  const ThreadPosition at = position_in_call(thread, text);
  if (at.stack_pointer == 0) return std::nullopt;
  ProgramStack stack{.native =
                         copy_waiting_stack(process, thread, at.program_counter, at.stack_pointer)};
  if (stack.native.memory.empty()) return std::nullopt;
  stack.runtime = known(stack.native).runtime;
  stack.language = language_of(stack, thread);
  return stack;
}

std::vector<RuntimeFrame> StackReader::language_of(const ProgramStack& stack, pid_t thread) {
  if (!stack.runtime) return {};
  return frames_or_none(*stack.runtime, {.thread = own_thread_id(stack.native.process, thread),
                                         .program_counter = stack.native.program_counter,
                                         .stack_pointer = stack.native.stack_pointer});
}

ThreadPosition position_in_call(pid_t thread, const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
  if (all.size() < 2) return {.thread = thread};
  return {.thread = thread,
          .program_counter = std::strtoull(all.back().c_str(), nullptr, 16),
          .stack_pointer = std::strtoull(all[all.size() - 2].c_str(), nullptr, 16)};
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
