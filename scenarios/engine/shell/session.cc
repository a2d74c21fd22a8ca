#include "scenarios/engine/shell/session.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/engine/script/lua_lab.hh"

namespace tcplab::engine {

using nlohmann::json;

namespace {

constexpr const char* kChunk = "=shell";
constexpr std::string_view kEnd = "<eof>";
constexpr std::size_t kLongestValue = 500;

bool is_incomplete(lua_State* lua) {
  const char* message = lua_tostring(lua, -1);
  return message != nullptr && std::string_view(message).ends_with(kEnd);
}

/// "shell:3: there is no ..." is about what has just been typed: the place says nothing.
std::string without_place(const std::string& message) {
  if (!message.starts_with("shell:")) return message;
  const auto end = message.find(": ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

/// Which globals stand for hosts ("kang") and programs ("kang/dnc").
json names_of_globals(lua_State* lua) {
  json names = json::object();
  lua_pushglobaltable(lua);
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) continue;
    const std::string name = lua_tostring(lua, -2);
    if (const void* host = luaL_testudata(lua, -1, LuaHost::kLuaName))
      names[name] = static_cast<const LuaHost*>(host)->host->name();
    if (const void* found = luaL_testudata(lua, -1, LuaProgram::kLuaName)) {
      const LabProgram& program = *static_cast<const LuaProgram*>(found)->program;
      names[name] = program.host() + "/" + program.name();
    }
  }
  lua_pop(lua, 1);
  return names;
}

bool has_name(lua_State* lua, const LabProgram& program) {
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

Session::Session(Experiment& experiment, RunControlListener& control, RunChannelWriter& channel)
    : experiment_(experiment), channel_(channel) {
  lua_State* lua = experiment.session().sandbox().state();
  push_lab(lua);
  lua_setglobal(lua, "lab");
  experiment.on_turn_end = [this](RunStatus status, const std::string& reason) {
    turn_ended(status, reason);
  };
  control.on("turn", [this](const std::string& text) { take_turn(text); });
  control.on("stop", [this](const std::string&) { experiment_.stop_waiting(); });
  control.on("complete", [this](const std::string& before) { complete(before); });
  control.on("states", [this](const std::string& columns) {
    channel_.say("states", socket_states(experiment_.laboratory(), std::stoi(columns)));
  });
  control.on("quit", [this](const std::string&) { quit(); });
  control.on_end = [this] { quit(); };
}

void Session::quit() {
  const std::string reason =
      std::to_string(failures_) + (failures_ == 1 ? " line" : " lines") + " of the session failed";
  experiment_.end_session(failures_ == 0 ? RunStatus::passed : RunStatus::failed,
                          failures_ == 0 ? "" : reason);
}

/// Leaves the function, or the message, on the coroutine's stack. Lines count through the session.
int Session::load(const std::string& text) {
  const std::string lines(static_cast<std::size_t>(experiment_.session().lines()), '\n');
  const Sandbox::Running limited(experiment_.session().sandbox(), thread_);
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
  lua_State* lua = experiment_.session().sandbox().state();
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
  std::istringstream lines(text_);
  for (std::string line; std::getline(lines, line);) experiment_.session().add_line(line);
  if (status == LUA_OK) return experiment_.take_turn(thread_);
  is_expression_ = false;
  turn_ended(RunStatus::bad_script, lua_tostring(thread_, -1));
}

/// It may be inside of the turn's own call: its values are there when that has returned.
void Session::turn_ended(RunStatus status, const std::string& reason) {
  boost::asio::post(experiment_.laboratory().loop(),
                    [this, status, reason] { tell_turn(status, reason); });
}

void Session::tell_turn(RunStatus status, const std::string& reason) {
  lua_State* lua = experiment_.session().sandbox().state();
  json said = {{"ok", status == RunStatus::passed}, {"text", text_}, {"statement", is_statement_}};
  if (status == RunStatus::passed) {
    if (is_expression_) said["value"] = values();
  } else {
    ++failures_;
    said["error"] = without_place(reason);
    said["judged"] = status == RunStatus::failed;
  }
  said["names"] = names_of_globals(lua);
  said["cursors"] = experiment_.cursors();
  said["last"] = experiment_.laboratory().timeline().last();
  luaL_unref(lua, LUA_REGISTRYINDEX, thread_reference_);
  thread_ = nullptr;
  experiment_.laboratory().flush();
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

/// A verb that gives the object back that it was asked of has no news.
std::string Session::value_text(int index) {
  const bool is_call = text_.find_first_of("({\"'") != std::string::npos;
  if (const auto* host = static_cast<LuaHost*>(luaL_testudata(thread_, index, LuaHost::kLuaName)))
    return is_call ? "" : host->host->name() + ", " + host->host->address().to_string();
  if (auto* found = static_cast<LuaProgram*>(luaL_testudata(thread_, index, LuaProgram::kLuaName)))
    return is_call && has_name(thread_, *found->program) ? "" : program_value(*found->program);
  if (lua_istable(thread_, index) && text_.find("expect") != std::string::npos) return "";
  if (luaL_testudata(thread_, index, "expectation") != nullptr)
    return "an expectation that is not said to its end: add :in_state \"ESTABLISHED\", say";
  if (lua_isuserdata(thread_, index)) {
    const bool named = luaL_getmetafield(thread_, index, "__name") == LUA_TSTRING;
    const std::string name = named ? lua_tostring(thread_, -1) : "object";
    if (named) lua_pop(thread_, 1);
    return "a " + name + "; name it to use it again: x = " + text_;
  }
  std::string text = luaL_tolstring(thread_, index, nullptr);
  lua_pop(thread_, 1);
  return lua_type(thread_, index) == LUA_TSTRING ? "\"" + text + "\"" : text;
}

/// A program that nobody has named gets a name, so that it can be spoken to.
std::string Session::program_value(LabProgram& program) {
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
  const auto words = completions(experiment_.session().sandbox().state(), before, prefix);
  channel_.say("completions", json{{"before", before}, {"prefix", prefix}, {"words", words}}.dump(
                                  -1, ' ', true, json::error_handler_t::replace));
}

}  // namespace tcplab::engine
