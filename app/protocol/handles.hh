// The objects of a session's Lua state that its client knows, each by a number: a handle. It is
// written as {"handle": 3, "type": "host", "text": "host kodos", "session": "4f1c9e"}. Handle 0 is
// the lab.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace tcplab::app {

/// What the client knows as a handle.
struct HandledObject {
  std::string type;  // the name of its class: "host"
  std::string text;  // "host kodos"
  /// What a line of Lua would call it, for the reader: "kodos". If the object is only a step of a
  /// statement, its expression: "lab:expect(client)".
  std::string name;
};

class Handles {
public:
  /// `session` names this session among others.
  Handles(lua_State* lua, std::string session);
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  const std::string& session() const { return session_; }

  /// Returns whether the value is an object of the scripting interface.
  static bool is_object(lua_State* lua, int index);
  /// Returns the handle of such an object: always the same. `expression` has made it.
  nlohmann::ordered_json handle_of(lua_State* lua, int index, const std::string& expression);

  /// Returns whether the client means a handle.
  static bool is_handle(const nlohmann::json& said);
  /// Returns the number of a handle as the client says it: {"handle": 3}, with or without its other
  /// members, or 3. Throws base::UsageError if this session has no such handle.
  std::uint64_t number_of(const nlohmann::json& said) const;
  /// The number must be that of a handle.
  const HandledObject& at(std::uint64_t number) const { return objects_.at(number); }
  /// Forgets a handle. The object lives on if something else needs it. The lab is never forgotten.
  void release(std::uint64_t number);

  /// Pushes a table of these objects; their numbers are its keys. A function that uses it keeps
  /// them, even if their handles are released.
  void push_objects(lua_State* lua, const std::set<std::uint64_t>& numbers) const;

private:
  std::string name_for_reader(lua_State* lua, int index, const HandledObject& object,
                              const std::string& expression);

  lua_State* lua_;
  std::string session_;
  int objects_reference_;  // in Lua's registry: number -> object
  int numbers_reference_;  // object -> number
  std::map<std::uint64_t, HandledObject> objects_;
  std::map<std::string, int> names_;  // how often each was taken
  std::uint64_t next_ = 0;
};

}  // namespace tcplab::app
