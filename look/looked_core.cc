#include "look/looked_core.hh"

#include "base/error.hh"
#include "capture/calls/call_text.hh"
#include "capture/memory/core_file.hh"
#include "capture/runtimes/find_runtime.hh"
#include "capture/stacks/program_stack.hh"
#include "capture/stacks/stack_names.hh"

namespace tcplab::look {

namespace {

std::string call_of(const capture::CallStop& stop) {
  if (stop.call == nullptr) return "";
  const std::string arguments = capture::argument_text(stop);
  if (capture::waits_for_several(stop.call->kind)) return std::string(stop.call->name) + "(...)";
  return std::string(stop.call->name) + "(" + std::to_string(static_cast<int>(stop.arguments[0])) +
         (arguments.empty() ? ")" : ", " + arguments + ")");
}

}  // namespace

LookedCore look_at_core(const std::string& path) {
  const capture::CoreFile core(path);
  LookedCore looked{.process = core.process(),
                    .command = core.command(),
                    .identity = core.identity(),
                    .foreign_files = core.foreign_files(),
                    .signal = core.signal() == 0 ? "" : base::signal_name(core.signal())};
  const std::shared_ptr<const capture::Runtime> runtime = find_runtime(core.image(), core.memory());
  if (runtime) looked.runtime = runtime->name();
  capture::StackNames names;
  for (const capture::CoreThread& thread : core.threads()) {
    capture::ProgramStack stack{.native = thread.stack, .runtime = runtime};
    if (runtime)
      stack.language = frames_or_none(*runtime, {.thread = thread.id,
                                                 .program_counter = thread.stack.program_counter,
                                                 .stack_pointer = thread.stack.stack_pointer});
    looked.threads.push_back({.id = thread.id,
                              .call = call_of(thread.stop),
                              .frames = with_language(names.frames(thread.stack), stack)});
  }
  return looked;
}

}  // namespace tcplab::look
