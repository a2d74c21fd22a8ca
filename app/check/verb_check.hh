// Checks the arguments of a verb against its row (lua_interface.hh).
#pragma once

#include <functional>
#include <lua.hpp>
#include <string>

#include "app/check/value_check.hh"

namespace tcplab::app {

/// How a verb is called: by its parameters, or by the overload if there are more arguments.
struct Signature {
  struct Parameter {
    std::string name;  // "..." takes all the arguments that follow
    std::string type;
    bool is_optional;
    LuaRange range = {};
  };
  std::vector<Parameter> parameters;
  std::vector<std::string> results;

  /// Returns whether the options may follow at once, because every argument may be left out.
  bool is_all_optional() const;
};

Signature signature_of(const LuaVerb& verb, int arguments);

class VerbCheck {
public:
  explicit VerbCheck(const ValueCheck& values) : values_(values) {}

  /// Returns what is wrong with the arguments on the stack, after the object: "argument 1 (state)
  /// is "X"; did you mean ..."; empty if nothing is. With `nil_is_unknown`, nil is right.
  std::string complaint(lua_State* lua, const Signature& signature, bool nil_is_unknown) const;

private:
  std::string complaint_of_rest(lua_State* lua, int first, const Signature::Parameter& parameter,
                                bool nil_is_unknown) const;
  std::string complaint_of_one(lua_State* lua, int argument, const Signature::Parameter& parameter,
                               bool nil_is_unknown) const;

  const ValueCheck& values_;
};

}  // namespace tcplab::app
