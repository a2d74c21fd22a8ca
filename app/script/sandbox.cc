#include "app/script/sandbox.hh"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "app/script/lua_binding.hh"
#include "app/script/script_error.hh"
#include "base/error.hh"
#include "base/limits.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

// Functions of the base library that read files, run text or see the registry. And xpcall: its
// handler runs inside the hook that stops a loop, where nothing stops a second loop.
constexpr std::array kForbidden = {"dofile",         "loadfile", "load",
                                   "collectgarbage", "print",    "xpcall"};

/// Lua's setmetatable without finalizers: Lua does not count instructions in those (lgc.c, GCTM).
int set_metatable(lua_State* state) {
  if (lua_istable(state, 2)) {
    lua_pushliteral(state, "__gc");
    if (lua_rawget(state, 2) != LUA_TNIL)
      return luaL_error(state, "objects of a script have no finalizers (__gc)");
    lua_pop(state, 1);
  }
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, lua_gettop(state) - 1, LUA_MULTRET);
  return lua_gettop(state);
}

void open_libraries(lua_State* state) {
  luaL_requiref(state, LUA_GNAME, luaopen_base, 1);
  luaL_requiref(state, LUA_TABLIBNAME, luaopen_table, 1);
  luaL_requiref(state, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(state, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_requiref(state, LUA_UTF8LIBNAME, luaopen_utf8, 1);
  lua_pop(state, 5);
  for (const char* name : kForbidden) {
    lua_pushnil(state);
    lua_setglobal(state, name);
  }
  lua_getglobal(state, "string");
  lua_pushnil(state);
  lua_setfield(state, -2, "dump");  // bytecode
  lua_pop(state, 1);
  lua_getglobal(state, "setmetatable");
  lua_pushcclosure(state, set_metatable, 1);
  lua_setglobal(state, "setmetatable");
  install_stable_text(state);
}

int panic(lua_State* state) {
  const char* message = lua_tostring(state, -1);
  throw base::LabError(std::string("Lua: ") + (message != nullptr ? message : "an error"));
}

void arm(std::chrono::seconds user_time) {
  const itimerval timer{.it_interval = {}, .it_value = {user_time.count(), 0}};
  ::setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

/// What out_of_time() prints: it names the script that runs.
std::string out_of_time_message;

/// signal-safety(7): only write(2) and _exit(2).
void out_of_time(int) {
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, out_of_time_message.data(), out_of_time_message.size());
  ::_exit(2);
}

std::string read_script(const std::string& file, std::size_t limit) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw base::UsageError(file + ": cannot read the script: " + base::errno_name(errno) +
                           base::limit_of_files(errno));
  }
  std::string text;
  std::array<char, 16384> piece{};
  do {
    stream.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream.good() && text.size() <= limit);
  if (stream.bad() || (text.empty() && !stream.eof()))
    throw base::UsageError(file + ": cannot read the script (is it a folder?)");
  if (text.size() > limit) {
    throw base::UsageError(file + ": the script is larger than " + std::to_string(limit >> 10) +
                           " KiB; split it into several scenarios");
  }
  return text;
}

}  // namespace

Sandbox::Sandbox(SandboxLimits limits)
    : limits_(limits), state_(lua_newstate(&Sandbox::allocate, this), lua_close) {
  if (!state_) throw base::LabError("cannot make a Lua state: out of memory");
  lua_atpanic(state_.get(), panic);
  open_libraries(state_.get());
}

Sandbox::Running::Running(Sandbox& sandbox, lua_State* thread)
    : sandbox_(sandbox), was_running_(sandbox.running_) {
  lua_sethook(thread, &Sandbox::out_of_instructions, LUA_MASKCOUNT,
              static_cast<int>(sandbox.limits_.instructions));
  out_of_time_message = reports::message(
      (sandbox.file_.empty() ? "" : sandbox.file_ + ": ") +
      "the script has run for too long without waiting for anything; does it loop forever?");
  std::signal(SIGVTALRM, out_of_time);
  arm(sandbox.limits_.user_time);
  sandbox.running_ = true;
}

Sandbox::Running::~Running() {
  sandbox_.running_ = was_running_;
  arm(was_running_ ? sandbox_.limits_.user_time : std::chrono::seconds(0));
}

void Sandbox::out_of_instructions(lua_State* state, lua_Debug*) {
  lua_sethook(state, &Sandbox::out_of_instructions, LUA_MASKCOUNT, 1);
  luaL_where(state, 0);
  lua_pushliteral(state,
                  "the script has run for too many instructions without waiting for anything; "
                  "does it loop forever?");
  lua_concat(state, 2);
  lua_error(state);
}

void* Sandbox::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  if (block == nullptr) old_size = 0;  // then it is a type tag (lua_Alloc)
  if (sandbox.running_ && new_size > old_size &&
      sandbox.used_ + new_size - old_size > sandbox.limits_.memory)
    return nullptr;
  if (new_size == 0) {
    std::free(block);
    sandbox.used_ -= old_size;
    return nullptr;
  }
  void* moved = std::realloc(block, new_size);
  if (moved != nullptr) sandbox.used_ += new_size - old_size;
  return moved;
}

std::string Sandbox::read(const std::string& file) const {
  return read_script(file, limits_.script_size);
}

void Sandbox::run_file(const std::string& file) {
  const std::string text = read(file);
  file_ = file;
  lua_State* state = state_.get();
  const std::string chunk = "@" + file;
  const Running limited(*this, state);
  if (luaL_loadbufferx(state, text.data(), text.size(), chunk.c_str(), "t") != LUA_OK ||
      lua_pcall(state, 0, 1, 0) != LUA_OK) {
    const char* said = lua_tostring(state, -1);
    const std::string message =
        with_whole_name(said != nullptr ? said : "it failed without a message", file);
    // Some messages of Lua have no place, such as "not enough memory".
    throw base::UsageError(has_place(message) ? message : file + ": " + message);
  }
}

}  // namespace tcplab::app
