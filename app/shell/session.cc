#include "app/shell/session.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

#include "app/script/lua_binding.hh"
#include "app/script/lua_objects.hh"
#include "app/verbs/script_interface.hh"
#include "base/split.hh"

namespace tcplab::app {

using nlohmann::json;

namespace {

constexpr const char* kChunk = "=shell";
constexpr std::string_view kEnd = "<eof>";
constexpr std::size_t kLongestValue = 500;

bool is_incomplete(lua_State* lua) {
  const char* message = lua_tostring(lua, -1);
  return message != nullptr && std::string_view(message).ends_with(kEnd);
}

/// Removes the place from "shell:3: there is no ...": it is the line that was just typed.
std::string without_place(const std::string& message) {
  if (!message.starts_with("shell:")) return message;
  const auto end = message.find(": ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

/// The globals that hold hosts ("kang") and programs ("kang/dnc").
json names_of_globals(lua_State* lua) {
  json names = json::object();
  lua_pushglobaltable(lua);
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) continue;
    const std::string name = lua_tostring(lua, -2);
    if (const void* host = luaL_testudata(lua, -1, LuaHost::kLuaName))
      names[name] = static_cast<const LuaHost*>(host)->host->name();
    if (const void* found = luaL_testudata(lua, -1, LuaProgram::kLuaName)) {
      const lab::LabProgram& program = *static_cast<const LuaProgram*>(found)->program;
      names[name] = program.host() + "/" + program.name();
    }
  }
  lua_pop(lua, 1);
  return names;
}

bool has_name(lua_State* lua, const lab::LabProgram& program) {
  const std::string wanted = program.host() + "/" + program.name();
  const json names = names_of_globals(lua);
  return std::any_of(names.begin(), names.end(), [&](const json& one) { return one == wanted; });
}

std::string cut(std::string text) {
  if (text.size() > kLongestValue) text = text.substr(0, kLongestValue) + "...";
  return text;
}

}  // namespace

std::string without_local(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos || text.compare(first, 6, "local ") != 0) return text;
  return text.substr(0, first) + text.substr(first + 6);
}

Session::Session(const ScriptInfo& info, const lab::LaboratoryConfig& config,
                 base::nanoseconds slack, RunChannelWriter& channel, base::FileDescriptor control)
    : ScriptedRun(Script(info), config, slack),
      channel_(channel),
      control_(laboratory().loop(), std::move(control)) {
  lua_State* lua = script().sandbox().state();
  push_lab(lua);
  lua_setglobal(lua, "lab");
  laboratory().timeline().listen([this](const capture::Event& event) { channel_.event(event); });
  context().waiter().on_waiting = [this](const std::string& what) { channel_.waiting(what); };
  context().unfinished().ignore();
  context().on_end = [this](RunStatus status, const std::string& reason) {
    if (status == RunStatus::broken) return finish(status, reason);
    turn_ended(status, reason);
  };
  laboratory().clock().hold(true);
  listen();
}

void Session::listen() {
  control_.on("turn", [this](const std::string& text) { take_turn(text); });
  control_.on("stop", [this](const std::string&) { stop_waiting(); });
  control_.on("complete", [this](const std::string& before) { complete(before); });
  control_.on("states", [this](const std::string& columns) {
    channel_.say("states", socket_states(laboratory(), std::stoi(columns)));
  });
  control_.on("quit", [this](const std::string&) { quit(); });
  control_.on_end = [this] { quit(); };
}

/// Has no effect on a turn that does not wait, or whose wait is already decided.
void Session::stop_waiting() {
  if (context().waiter().is_waiting())
    context().end(RunStatus::failed, "you have stopped waiting for it");
}

void Session::quit() {
  const std::string reason =
      std::to_string(failures_) + (failures_ == 1 ? " line" : " lines") + " of the session failed";
  finish(failures_ == 0 ? RunStatus::passed : RunStatus::failed, failures_ == 0 ? "" : reason);
}

/// Leaves a function or an error message on the coroutine's stack. Line numbers count through the
/// session.
int Session::load(const std::string& text) {
  const std::string lines(static_cast<std::size_t>(script().lines()), '\n');
  const Sandbox::Running limited(script().sandbox(), thread_);
  const std::string expression = lines + "return " + text;
  is_expression_ =
      luaL_loadbufferx(thread_, expression.data(), expression.size(), kChunk, "t") == LUA_OK;
  if (!is_expression_) lua_pop(thread_, 1);
  const std::string statements = lines + text;
  const int status = luaL_loadbufferx(thread_, statements.data(), statements.size(), kChunk, "t");
  is_statement_ = status == LUA_OK;
  if (!is_expression_) return status;
  lua_pop(thread_, 1);
  return LUA_OK;
}

void Session::take_turn(const std::string& text) {
  lua_State* lua = script().sandbox().state();
  thread_ = lua_newthread(lua);
  thread_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  text_ = without_local(text);
  const int status = load(text_);
  if (status != LUA_OK && is_incomplete(thread_)) {
    luaL_unref(lua, LUA_REGISTRYINDEX, thread_reference_);
    const char* message = lua_tostring(thread_, -1);
    return channel_.say("turn",
                        json{{"incomplete", true}, {"error", without_place(message)}}.dump());
  }
  for (const std::string& line : base::split(text_, '\n')) script().add_line(line);
  laboratory().clock().hold(false);
  if (status == LUA_OK) return context().start(thread_, 0);
  is_expression_ = false;
  turn_ended(RunStatus::bad_script, lua_tostring(thread_, -1));
}

/// The turn may still be on the call stack; its values are complete when it has returned.
void Session::turn_ended(RunStatus status, const std::string& reason) {
  boost::asio::post(laboratory().loop(), [this, status, reason] { tell_turn(status, reason); });
}

void Session::tell_turn(RunStatus status, const std::string& reason) {
  lua_State* lua = script().sandbox().state();
  json said = {{"ok", status == RunStatus::passed}, {"text", text_}, {"statement", is_statement_}};
  if (status == RunStatus::passed) {
    if (is_expression_) said["value"] = values();
  } else {
    ++failures_;
    said["error"] = without_place(reason);
    said["judged"] = status == RunStatus::failed;
  }
  said["names"] = names_of_globals(lua);
  said["cursors"] = context().waiter().cursors().events();
  said["last"] = laboratory().timeline().last();
  luaL_unref(lua, LUA_REGISTRYINDEX, thread_reference_);
  thread_ = nullptr;
  laboratory().clock().hold(true);  // while nobody waits, and everything rests
  laboratory().flush();
  channel_.say("turn", said.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::string Session::values() {
  std::string text;
  for (int i = 1; i <= lua_gettop(thread_); ++i) {
    const std::string one = value_text(i);
    if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
  }
  return cut(text);
}

/// Empty for a verb that returns the object it was called on: that is no news.
std::string Session::value_text(int index) {
  const bool is_call = text_.find_first_of("({\"'") != std::string::npos;
  if (const auto* host = static_cast<LuaHost*>(luaL_testudata(thread_, index, LuaHost::kLuaName)))
    return is_call ? "" : host->host->name() + ", " + host->host->address().to_string();
  if (auto* found = static_cast<LuaProgram*>(luaL_testudata(thread_, index, LuaProgram::kLuaName)))
    return is_call && has_name(thread_, *found->program) ? "" : program_value(*found->program);
  if (lua_istable(thread_, index) && text_.find("expect") != std::string::npos) return "";
  if (luaL_testudata(thread_, index, "subject") != nullptr)
    return "an expectation without a verb: add one, for example :in_state \"ESTABLISHED\"";
  if (lua_isuserdata(thread_, index)) {
    const bool named = luaL_getmetafield(thread_, index, "__name") == LUA_TSTRING;
    const std::string name = named ? lua_tostring(thread_, -1) : "object";
    if (named) lua_pop(thread_, 1);
    return "a " + name + "; to use it later, give it a name: x = " + text_;
  }
  std::string text = stable_text(thread_, index);
  return lua_type(thread_, index) == LUA_TSTRING ? "\"" + text + "\"" : text;
}

/// Gives a program without a name a global name, so that the user can refer to it.
std::string Session::program_value(lab::LabProgram& program) {
  std::string state = program.title() + (program.running() ? "" : ", which has ended");
  if (has_name(thread_, program)) return state;
  std::string name = program.host() + "_" + program.name();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  push_object(thread_, LuaProgram{&program});
  lua_setglobal(thread_, name.c_str());
  return name + " is " + state;
}

void Session::complete(const std::string& before) {
  std::string prefix;
  const auto words = completions(script().sandbox().state(), before, prefix);
  channel_.say("completions", json{{"before", before}, {"prefix", prefix}, {"words", words}}.dump(
                                  -1, ' ', true, json::error_handler_t::replace));
}

}  // namespace tcplab::app
