// The members of the objects that a session's client sends.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace tcplab::app {

/// Returns a member; null if it is missing, or if `said` is no object.
const nlohmann::json& member(const nlohmann::json& said, const char* name);

/// Throws base::UsageError unless `said` is an object that has only these members. `what` names it.
void require_members(const nlohmann::json& said, std::initializer_list<std::string> known,
                     const std::string& what);

}  // namespace tcplab::app
