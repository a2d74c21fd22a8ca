#include "scenarios/engine/sandbox.hh"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

// What is left of the base library: nothing that reads files, runs text or sees the registry.
constexpr std::array kForbidden = {"dofile", "loadfile", "load", "collectgarbage", "print"};

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
}

std::string read_script(const std::string& file, std::size_t limit) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw base::UsageError(file + ": cannot read the script: " + base::errno_name(errno));
  }
  std::string text(limit + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad() || (text.empty() && !stream.eof()))
    throw base::UsageError(file + ": cannot read the script (is it a folder?)");
  if (text.size() > limit) {
    throw base::UsageError(file + ": the script is larger than " + std::to_string(limit >> 10) +
                           " KiB; split it into scenarios of their own");
  }
  return text;
}

}  // namespace

Sandbox::Sandbox(SandboxLimits limits)
    : limits_(limits), state_(lua_newstate(&Sandbox::allocate, this), lua_close) {
  if (!state_) throw base::LabError("cannot make a Lua state: out of memory");
  open_libraries(state_.get());
  refill(state_.get());
}

void Sandbox::refill(lua_State* thread) {
  lua_sethook(thread, &Sandbox::out_of_instructions, LUA_MASKCOUNT,
              static_cast<int>(limits_.instructions));
}

void Sandbox::out_of_instructions(lua_State* state, lua_Debug*) {
  lua_sethook(state, &Sandbox::out_of_instructions, LUA_MASKCOUNT, 1);
  luaL_error(state,
             "the script has run for too many instructions without waiting for anything; "
             "does it loop for ever?");
}

void* Sandbox::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  if (block == nullptr) old_size = 0;  // then it is a type tag (lua_Alloc)
  if (new_size > old_size && sandbox.used_ + new_size - old_size > sandbox.limits_.memory)
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

void Sandbox::run_file(const std::string& file) {
  const std::string text = read_script(file, limits_.script_size);
  lua_State* state = state_.get();
  const std::string chunk = "@" + file;
  if (luaL_loadbufferx(state, text.data(), text.size(), chunk.c_str(), "t") != LUA_OK ||
      lua_pcall(state, 0, 1, 0) != LUA_OK) {
    const char* message = lua_tostring(state, -1);
    throw base::UsageError(message != nullptr ? message : file + ": failed without a message");
  }
}

}  // namespace tcplab::engine
