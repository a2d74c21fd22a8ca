// A Lua 5.4 state that is safe for scripts of unknown authors: no os, io, package, debug or load,
// text chunks only, limits on instructions and memory. It uses the Lua library that is compiled as
// C++ (lua5.4-c++), so that a Lua error unwinds C++ frames. The limits hold while a Running is in
// scope, so the lab's own use of the state never fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <lua.hpp>
#include <memory>
#include <string>

namespace tcplab::app {

struct SandboxLimits {
  std::size_t memory = std::size_t{64} << 20;  // bytes
  long instructions = 50'000'000;              // of the VM, between two suspensions
  std::chrono::seconds user_time{5};           // the same, for loops inside a library function
  std::size_t script_size = std::size_t{1} << 20;
};

class Sandbox {
public:
  explicit Sandbox(SandboxLimits limits = {});
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  lua_State* state() const { return state_.get(); }

  /// Runs the chunk in `file` and leaves its result on the stack. Throws base::UsageError for a
  /// file that cannot be read, is too large, is bytecode, has a syntax error, or fails.
  void run_file(const std::string& file);

  /// Returns the text of a script. Throws base::UsageError if it cannot be read or is too large.
  std::string read(const std::string& file) const;

  /// Limits a thread of this state while it runs. When the instructions are used up, each further
  /// one fails, so pcall cannot keep a loop alive. Some loops are a single instruction (a pattern
  /// that backtracks, the repetition of an empty text) and cannot be interrupted: when the
  /// processor time in user mode is used up, the process prints an error and exits with status 2.
  /// Time in the kernel does not count, because verbs of the lab need it.
  class Running {
  public:
    Running(Sandbox& sandbox, lua_State* thread);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    Sandbox& sandbox_;
    bool was_running_;  // another thread of the state, which goes on afterwards
  };

private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void out_of_instructions(lua_State* state, lua_Debug* activation);

  SandboxLimits limits_;
  std::string file_;  // that run_file() ran
  std::size_t used_ = 0;
  bool running_ = false;
  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
};

}  // namespace tcplab::app
