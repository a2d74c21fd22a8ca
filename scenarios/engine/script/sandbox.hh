// A Lua 5.4 state that a scenario script may be trusted with: no os, io, package, debug or
// load, text chunks only, and limits on instructions and memory. The library is the one that is
// compiled as C++ (lua5.4-c++), so that a Lua error unwinds our frames. Limits hold while a
// Running is in scope: what the lab itself asks of the state between two turns never fails.
#pragma once

#include <chrono>
#include <cstddef>
#include <lua.hpp>
#include <memory>
#include <string>

namespace tcplab::engine {

struct SandboxLimits {
  std::size_t memory = std::size_t{64} << 20;  // bytes
  long instructions = 50'000'000;              // of the VM, in one go: between two suspensions
  std::chrono::seconds processor_time{5};      // likewise: for loops inside of a library function
  std::size_t script_size = std::size_t{1} << 20;
};

class Sandbox {
public:
  explicit Sandbox(SandboxLimits limits = {});
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  lua_State* state() const { return state_.get(); }

  /// Runs the chunk in `file` and leaves its one result on the stack. Throws base::UsageError:
  /// a file that cannot be read, is too large, is bytecode, has a syntax error, or fails.
  void run_file(const std::string& file);

  /// One turn of a thread of this state, under all limits. Once it has used up its instructions,
  /// every further one fails: pcall cannot keep a loop alive. Some loops are single instructions
  /// (a pattern that backtracks, the repetition of an empty text); nothing can return from
  /// those, so when the processor time is used up the process says so and exits with status 2.
  class Running {
  public:
    Running(Sandbox& sandbox, lua_State* thread);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    Sandbox& sandbox_;
  };

private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void out_of_instructions(lua_State* state, lua_Debug* activation);

  SandboxLimits limits_;
  std::size_t used_ = 0;
  bool running_ = false;
  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
};

}  // namespace tcplab::engine
