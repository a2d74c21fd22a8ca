// Finds the frames of a copied stack, and names them: function, module, file and line, with
// elfutils (libdwfl(3)). Takes up to half a second for the first stack of a program, so it must
// never run in the thread that traces.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/calls/stack_copy.hh"

namespace tcplab::capture {

class StackNames {
public:
  StackNames();
  StackNames(const StackNames&) = delete;
  StackNames& operator=(const StackNames&) = delete;
  ~StackNames();

  /// Returns the frames, the innermost first, at most 128:
  /// "reach (dialer, /src/dialer.c:7)" with debug information, "connect+0x1e (libc.so.6)" with
  /// symbols only, "0x1139 (dialer)" without (an address for addr2line(1)). Outside of files, code
  /// was compiled at run time: "JS:*fetch /srv/client.js:7 (perf map)" if the program has written a
  /// perf map, else "0x7f0000001000". Empty if the program's files are gone.
  std::vector<std::string> frames(const StackCopy& stack);

  /// Does the same for a thread that was not stopped, inside a system call: only its program
  /// counter and its stack pointer are known. If a function needs the frame pointer, its first
  /// instructions tell (frame_prologue.hh). Where they do not, the frames end there.
  std::vector<std::string> frames_of_waiting(StackCopy stack);

private:
  class Process;

  Process& process_of(const StackCopy& stack);

  std::map<pid_t, std::unique_ptr<Process>> processes_;
};

}  // namespace tcplab::capture
