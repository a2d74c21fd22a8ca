// Writes the calls of a client's requests as Lua, which a session executes: "kodos:power_off()".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/protocol/handles.hh"

namespace tcplab::app {

class LuaWriter {
public:
  enum class For : std::uint8_t { execution, reader };

  /// Writes an object as "h[3]" for execution, where h is the table of the objects(); for a reader
  /// as its name.
  LuaWriter(const Handles& handles, For whom) : handles_(handles), for_(whom) {}

  /// Returns the call of a verb: {"on": HANDLE, "verb": NAME, "args": [...]}, or the field of an
  /// object: {"on": HANDLE, "field": NAME}. Without "on", it is the lab's. Throws base::UsageError
  /// for an unknown handle, verb or field, and for an argument that cannot be one.
  std::string call(const nlohmann::json& said) { return call(said, 0); }
  /// Returns an argument. An object is a table, but {"handle": 3} is an object of the session, and
  /// {"do": [calls]} a function that makes these calls.
  std::string value(const nlohmann::json& said) { return value(said, 0); }
  /// Returns the numbers of the objects that were written.
  const std::set<std::uint64_t>& objects() const { return objects_; }

private:
  std::string call(const nlohmann::json& said, int depth);
  std::string value(const nlohmann::json& said, int depth);
  std::string table(const nlohmann::json& said, int depth);
  std::string function(const nlohmann::json& calls, int depth);
  std::string object(std::uint64_t number);

  const Handles& handles_;
  For for_;
  std::set<std::uint64_t> objects_;
};

}  // namespace tcplab::app
