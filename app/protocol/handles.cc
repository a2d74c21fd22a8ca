#include "app/protocol/handles.hh"

#include <utility>

#include "app/protocol/members.hh"
#include "app/script/lua_binding.hh"
#include "app/script/lua_objects.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"

namespace tcplab::app {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// Returns the name of the object's class; empty if it is none of the scripting interface.
std::string class_of(lua_State* lua, int index) {
  if (lua_isuserdata(lua, index) == 0) return "";
  const int type = luaL_getmetafield(lua, index, "__name");
  if (type == LUA_TNIL) return "";
  const std::string name = type == LUA_TSTRING ? lua_tostring(lua, -1) : "";
  lua_pop(lua, 1);
  return script_interface().find_class(name) == nullptr ? "" : name;
}

std::string as_lua_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

bool is_step_of_statement(const std::string& type) {
  static const std::set<std::string> kSteps = {"subject", "expected_call", "condition"};
  return kSteps.contains(type);
}

}  // namespace

Handles::Handles(lua_State* lua, std::string session) : lua_(lua), session_(std::move(session)) {
  lua_newtable(lua);
  objects_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_newtable(lua);
  numbers_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_lab(lua);
  handle_of(lua, -1, "lab");
  lua_pop(lua, 1);
}

bool Handles::is_object(lua_State* lua, int index) { return !class_of(lua, index).empty(); }

ordered_json Handles::handle_of(lua_State* lua, int index, const std::string& expression) {
  index = lua_absindex(lua, index);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, numbers_reference_);
  lua_pushvalue(lua, index);
  std::uint64_t number = next_;
  if (lua_rawget(lua, -2) == LUA_TNIL) {
    HandledObject object{.type = class_of(lua, index), .text = stable_text(lua, index), .name = {}};
    object.name = name_for_reader(lua, index, object, expression);
    objects_.emplace(number, std::move(object));
    ++next_;
    lua_pushvalue(lua, index);
    lua_pushinteger(lua, static_cast<lua_Integer>(number));
    lua_rawset(lua, -4);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, objects_reference_);
    lua_pushvalue(lua, index);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(number));
    lua_pop(lua, 1);
  } else {
    number = static_cast<std::uint64_t>(lua_tointeger(lua, -1));
    HandledObject& object = objects_.at(number);
    if (is_step_of_statement(object.type)) object.name = expression;  // ":within(2)" is added
  }
  lua_pop(lua, 2);
  return {{"handle", number},
          {"type", objects_.at(number).type},
          {"text", objects_.at(number).text},
          {"session", session_}};
}

std::string Handles::name_for_reader(lua_State* lua, int index, const HandledObject& object,
                                     const std::string& expression) {
  if (object.type == LuaLab::kLuaName || is_step_of_statement(object.type)) return expression;
  std::string name = object.type;
  if (const void* host = luaL_testudata(lua, index, LuaHost::kLuaName))
    name = static_cast<const LuaHost*>(host)->host->name();
  if (const void* found = luaL_testudata(lua, index, LuaProgram::kLuaName)) {
    const lab::LabProgram& program = *static_cast<const LuaProgram*>(found)->program;
    name = program.host() + "_" + program.name();
  }
  name = as_lua_name(name);
  const int count = ++names_[name];
  return count == 1 ? name : name + "_" + std::to_string(count);
}

bool Handles::is_handle(const json& said) { return said.is_object() && said.contains("handle"); }

std::uint64_t Handles::number_of(const json& said) const {
  const json& number = said.is_object() ? member(said, "handle") : said;
  if (!number.is_number_unsigned())
    throw base::UsageError("a handle is a whole number that an answer has given: {\"handle\": 1}");
  const auto session = said.find("session");
  if (session != said.end() && *session != session_) {
    const std::string other =
        session->is_string() ? "session " + session->get<std::string>() : "another session";
    throw base::UsageError("handle " + std::to_string(number.get<std::uint64_t>()) + " is of " +
                           other + "; this is session " + session_);
  }
  const auto chosen = number.get<std::uint64_t>();
  if (objects_.contains(chosen)) return chosen;
  throw base::UsageError("handle " + std::to_string(chosen) +
                         (chosen < next_ ? " was released" : " is not known in this session") +
                         "; use a handle that an answer has given");
}

void Handles::release(std::uint64_t number) {
  if (number == 0 || objects_.erase(number) == 0) return;
  const auto key = static_cast<lua_Integer>(number);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, objects_reference_);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, numbers_reference_);
  lua_rawgeti(lua_, -2, key);
  lua_pushnil(lua_);
  lua_rawset(lua_, -3);
  lua_pushnil(lua_);
  lua_rawseti(lua_, -3, key);
  lua_pop(lua_, 2);
}

void Handles::push_objects(lua_State* lua, const std::set<std::uint64_t>& numbers) const {
  lua_newtable(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, objects_reference_);
  for (const std::uint64_t number : numbers) {
    const auto key = static_cast<lua_Integer>(number);
    lua_rawgeti(lua, -1, key);
    lua_rawseti(lua, -3, key);
  }
  lua_pop(lua, 1);
}

}  // namespace tcplab::app
