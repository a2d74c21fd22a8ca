// The fields of a scenario as JSON: for `tcplab list --json`, and to pass them between processes.
#pragma once

#include <nlohmann/json.hpp>

#include "app/script/script.hh"

namespace tcplab::app {

nlohmann::ordered_json json_of(const ScriptInfo& script);

/// The reverse of json_of(), but for the name of the case, which it does not have.
ScriptInfo script_info_of(const nlohmann::ordered_json& fields);

}  // namespace tcplab::app
