// The threads of a process that has ended, from its core file: in which calls they were, and in
// which functions. A core file has no sockets: those are the kernel's.
#pragma once

#include <string>
#include <vector>

#include "capture/memory/program_identity.hh"

namespace tcplab::look {

struct CoreThreadLook {
  int id = 0;
  std::string call{};  // "recvfrom(4, 1024 bytes)"; empty: in no call that tcplab trace knows
  std::vector<std::string> frames{};  // innermost first
};

struct LookedCore {
  int process = 0;
  std::string command{};
  capture::ProgramIdentity identity{};
  std::vector<std::string> foreign_files{};  // see CoreFile::foreign_files()
  std::string signal{};                      // "SIGABRT"; empty: none
  std::string runtime{};                  // of its language: "Python 3.11"; empty if none is known
  std::vector<CoreThreadLook> threads{};  // the one that the signal ended is the first
};

/// Throws base::UsageError if this is no core file of this kind of machine.
LookedCore look_at_core(const std::string& path);

}  // namespace tcplab::look
