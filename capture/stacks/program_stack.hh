// The stack of a stopped thread: a copy of the native one, which is named later, and the frames of
// its language, which must be read before the thread goes on.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/calls/stack_copy.hh"
#include "capture/runtimes/runtime.hh"

namespace tcplab::capture {

struct ProgramStack {
  StackCopy native;
  std::shared_ptr<const Runtime> runtime{};  // null: none is known
  std::vector<RuntimeFrame> language{};      // innermost first
};

/// Reads the stacks of programs. It keeps what it has learned about each process.
class StackReader {
public:
  StackReader();
  StackReader(const StackReader&) = delete;
  StackReader& operator=(const StackReader&) = delete;
  ~StackReader();

  /// Reads the stack of a thread that is stopped by ptrace(2) at a system call. Returns nothing if
  /// it is not, or if it runs 32-bit code. The first stack of a process takes longer: it reads the
  /// symbols of the language's runtime.
  std::optional<ProgramStack> read(pid_t process, pid_t thread);

  /// Copies the native stack of a thread that waits in a system call and is not stopped. It must
  /// not return from the call meanwhile: its tracer can be sure of that. Returns nothing if the
  /// kernel does not show where the thread is.
  std::optional<ProgramStack> copy_waiting(pid_t process, pid_t thread);

  /// Whether the runtime of the stack's process was looked for. That takes up to 30 ms.
  bool is_prepared(const ProgramStack& stack);
  /// Returns a function that looks for it, for another thread.
  std::function<void()> preparation(const ProgramStack& stack) const;
  /// Adds the frames of the language, if the runtime is known. The thread is as in copy_waiting().
  void add_language(ProgramStack& stack, pid_t thread);

private:
  struct Known;
  struct Prepared;

  void take_prepared();
  const Known& remember(pid_t process, Known known);
  std::vector<RuntimeFrame> language_of(const ProgramStack& stack, pid_t thread);
  /// Forgets what an earlier program of the process had.
  const Known& known(const StackCopy& stack);

  StackCopier copier_;
  std::unordered_map<pid_t, Known> known_;
  std::shared_ptr<Prepared> prepared_;  // what another thread has found
};

/// Returns the native frames down to the first one of the interpreter, then those of the language,
/// innermost first. Without frames of the language, returns the native ones.
std::vector<std::string> with_language(std::vector<std::string> native, const ProgramStack& stack);

}  // namespace tcplab::capture
