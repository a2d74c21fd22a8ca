#include "capture/stacks/program_stack.hh"

#include <algorithm>

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

/// The first mapping, which execve(2) moves.
std::string_view first_line(std::string_view maps) { return maps.substr(0, maps.find('\n')); }

}  // namespace

struct StackReader::Known {
  std::shared_ptr<const std::string> maps{};  // when it was looked for
  std::shared_ptr<const OwnedRuntime> owned{};
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
  if (is_same && (known.owned->runtime || known.maps == stack.maps)) return known;
  known = {.maps = stack.maps,
           .owned = std::make_shared<const OwnedRuntime>(stack.process, *stack.maps)};
  return known;
}

std::optional<ProgramStack> StackReader::read(pid_t process, pid_t thread) {
  auto native = copier_.copy(process, thread);
  if (!native) return std::nullopt;
  ProgramStack stack{.native = std::move(*native)};
  const std::shared_ptr<const OwnedRuntime> owned = known(stack.native).owned;
  owned->memory.renew();
  stack.runtime = {owned, owned->runtime.get()};
  if (stack.runtime)
    stack.language =
        frames_or_none(*stack.runtime, {.thread = own_thread_id(process, thread),
                                        .program_counter = stack.native.program_counter,
                                        .stack_pointer = stack.native.stack_pointer});
  return stack;
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
