#include "app/script/includes.hh"

#include <algorithm>
#include <string_view>

#include "app/script/own_scenarios.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

namespace {

/// The file of the function that has called `include`.
std::string caller_of(lua_State* lua, const std::string& script) {
  lua_Debug activation{};
  if (lua_getstack(lua, 1, &activation) == 1 && lua_getinfo(lua, "S", &activation) != 0 &&
      *activation.source == '@')
    return activation.source + 1;
  return script;
}

/// The path without symbolic links. A script need not have such a path: it may come from a pipe
/// (/dev/fd/63) or from a deleted file.
fs::path real_path(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::absolute(file);
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::ranges::mismatch(folder, file);
  return end == folder.end();
}

constexpr const char* kOwn = "tcplab/";
constexpr std::size_t kMostFiles = 1'000;  // that a scenario includes
constexpr std::size_t kDeepest = 50;       // each level is one of the C calls that Lua can nest

/// Whether the name is that of a file of tcplab's own scenarios.
bool is_own(const std::string& name) { return name.starts_with(kOwn); }

/// The path as a reader would write it.
std::string shown_path(const std::string& from, const std::string& name) {
  if (is_own(name)) return (own_scenarios() / name.substr(std::string_view(kOwn).size())).string();
  return (fs::path(from).parent_path() / name).string();
}

}  // namespace

bool is_library(const fs::path& file) {
  const std::string name = file.filename();
  return name == "lib.lua" || name.ends_with(".lib.lua");
}

Includes::Includes(Sandbox& sandbox, const std::string& file)
    : sandbox_(sandbox),
      script_(file),
      root_(real_path(file).parent_path()),
      in_progress_{real_path(file)} {
  lua_State* lua = sandbox.state();
  lua_pushlightuserdata(lua, this);
  lua_pushcclosure(lua, call<&Includes::run>, 1);
  lua_setglobal(lua, "include");
  lua_pushlightuserdata(lua, this);
  lua_pushcclosure(lua, call<&Includes::run_folder>, 1);
  lua_setglobal(lua, "include_folder");
}

/// An exception becomes a Lua error only after it has ended.
template <int (Includes::*kRun)(lua_State*, const std::string&)>
int Includes::call(lua_State* lua) {
  auto& own = *static_cast<Includes*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const std::string name = luaL_checkstring(lua, 1);
  std::string wrong;
  try {
    return (own.*kRun)(lua, name);
  } catch (const base::UsageError& error) {
    wrong = error.what();
  }
  luaL_where(lua, 1);
  lua_pushlstring(lua, wrong.data(), wrong.size());
  lua_concat(lua, 2);
  return lua_error(lua);
}

int Includes::run(lua_State* lua, const std::string& name) {
  const std::string from = caller_of(lua, script_);
  const fs::path file = find(from, name);
  if (!fs::is_regular_file(file))
    throw base::UsageError("include \"" + name + "\": it is not a file");
  run_file(lua, file, shown_path(from, name));
  return 1;
}

/// The files are in the order of their names, which is the same on every machine.
int Includes::run_folder(lua_State* lua, const std::string& name) {
  const std::string from = caller_of(lua, script_);
  const fs::path folder = find(from, name);
  if (!fs::is_directory(folder))
    throw base::UsageError("include_folder \"" + name + "\": it is not a folder");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && is_library(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  lua_createtable(lua, static_cast<int>(files.size()), 0);
  for (const fs::path& file : files) {
    run_file(lua, file, fs::path(shown_path(from, name)) / file.filename());
    lua_rawseti(lua, -2, static_cast<lua_Integer>(lua_rawlen(lua, -2)) + 1);
  }
  return 1;
}

/// Pushes the value of the file. `shown` is its name in the errors of the file.
void Includes::run_file(lua_State* lua, const fs::path& file, const std::string& shown) {
  if (const auto known = values_.find(file); known != values_.end()) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, known->second);
    return;
  }
  refuse_cycle(file);
  refuse_excess(file);
  const std::string text = sandbox_.read(file.string());
  const std::string chunk = "@" + shown;
  if (luaL_loadbufferx(lua, text.data(), text.size(), chunk.c_str(), "t") != LUA_OK) {
    lua_error(lua);
    return;
  }
  struct Progress {
    Progress(std::vector<fs::path>& all, const fs::path& one) : files(all) { files.push_back(one); }
    ~Progress() { files.pop_back(); }
    std::vector<fs::path>& files;
  };
  const Progress progress(in_progress_, file);  // Lua's errors are exceptions too
  lua_call(lua, 0, 1);
  lua_pushvalue(lua, -1);
  values_[file] = luaL_ref(lua, LUA_REGISTRYINDEX);
}

fs::path Includes::find(const std::string& from, const std::string& name) const {
  const std::string quoted = "include \"" + name + "\": ";
  if (fs::path(name).is_absolute())
    throw base::UsageError(quoted + "write the path relative to this file");
  std::error_code error;
  const fs::path own = own_scenarios();
  fs::path file = fs::canonical(shown_path(from, name), error);
  if (error)
    throw base::UsageError(quoted + "no such file in " +
                           (is_own(name) ? own.string() : root_.string()));
  if (!is_below(file, root_) && !is_below(file, fs::weakly_canonical(own, error)))
    throw base::UsageError(quoted + "it is not below the scenario's folder, " + root_.string());
  return file;
}

void Includes::refuse_excess(const fs::path& file) const {
  if (values_.size() >= kMostFiles)
    throw base::UsageError("include " + file.filename().string() +
                           ": a scenario includes at most " + std::to_string(kMostFiles) +
                           " files; join some of them");
  if (in_progress_.size() > kDeepest)
    throw base::UsageError("include " + file.filename().string() +
                           ": files include each other at most " + std::to_string(kDeepest) +
                           " levels deep; include it earlier");
}

void Includes::refuse_cycle(const fs::path& file) const {
  if (std::ranges::find(in_progress_, file) == in_progress_.end()) return;
  std::string chain;
  for (const fs::path& one : in_progress_) chain += one.filename().string() + " includes ";
  throw base::UsageError("these files include each other: " + chain + file.filename().string());
}

}  // namespace tcplab::app
