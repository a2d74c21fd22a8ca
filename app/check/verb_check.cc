#include "app/check/verb_check.hh"

#include <algorithm>

namespace tcplab::app {

namespace {

constexpr std::string_view kRest = "...";

int arguments_of(lua_State* lua) { return lua_gettop(lua) - 1; }

/// "fun(self: host, name: string, value: string|number): host"
Signature signature_of(std::string_view overload) {
  Signature signature;
  const auto begin = overload.find('(') + 1;
  const auto end = overload.rfind("):");
  for (const std::string_view part : split_type(overload.substr(begin, end - begin), ',')) {
    const auto colon = part.find(':');
    if (part.substr(0, colon) == "self") continue;
    signature.parameters.push_back(
        {std::string(part.substr(0, colon)), std::string(part.substr(colon + 2)), false, {}});
  }
  signature.results.emplace_back(overload.substr(end + 3));
  return signature;
}

}  // namespace

bool Signature::is_all_optional() const {
  return std::ranges::all_of(parameters, &Parameter::is_optional);
}

Signature signature_of(const LuaVerb& verb, int arguments) {
  const std::string_view overload = verb.overload;
  if (!overload.empty() && arguments > static_cast<int>(verb.parameters.size()))
    return signature_of(overload);
  Signature signature;
  for (const LuaParameter& parameter : verb.parameters) {
    const std::string_view name = plain_name(parameter);
    signature.parameters.push_back(
        {std::string(name), parameter.type, name != parameter.name, parameter.range});
  }
  signature.results.assign(verb.results.begin(), verb.results.end());
  return signature;
}

std::string VerbCheck::complaint(lua_State* lua, const Signature& signature,
                                 bool nil_is_unknown) const {
  const bool may_skip = signature.is_all_optional();
  int argument = 1;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i, ++argument) {
    if (may_skip && lua_istable(lua, argument + 1)) i = signature.parameters.size() - 1;
    const Signature::Parameter& parameter = signature.parameters[i];
    if (parameter.name == kRest) return complaint_of_rest(lua, argument, parameter, nil_is_unknown);
    std::string wrong = complaint_of_one(lua, argument, parameter, nil_is_unknown);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string VerbCheck::complaint_of_rest(lua_State* lua, int first,
                                         const Signature::Parameter& parameter,
                                         bool nil_is_unknown) const {
  for (int argument = first; argument <= arguments_of(lua); ++argument) {
    std::string wrong = complaint_of_one(lua, argument, parameter, nil_is_unknown);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string VerbCheck::complaint_of_one(lua_State* lua, int argument,
                                        const Signature::Parameter& parameter,
                                        bool nil_is_unknown) const {
  const std::string place =
      "argument " + std::to_string(argument) +
      (parameter.name == kRest ? std::string(" ") : " (" + parameter.name + ") ");
  const int index = argument + 1;
  if (lua_isnoneornil(lua, index)) {
    if (parameter.is_optional || nil_is_unknown) return "";
    if (index > lua_gettop(lua)) return place + "is missing";
  }
  const LuaParameter wanted{.name = "", .type = parameter.type.c_str(), .range = parameter.range};
  const std::string wrong = values_.complaint(lua, index, wanted);
  return wrong.empty() ? "" : place + wrong;
}

}  // namespace tcplab::app
