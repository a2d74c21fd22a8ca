// A difference of two runs as JSON. docs/schema/diff.schema.json describes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "reports/diff/difference.hh"

namespace tcplab::reports {

/// Returns {"lists":[...],"notes":[...],"is_one_cut_off":false}
nlohmann::ordered_json json_of(const Difference& difference);

/// A run, and the folder that the user has named.
using NamedBehaviour = std::pair<std::string, const Behaviour&>;

/// Returns the whole document of `tcplab diff --json`.
std::string difference_json(const NamedBehaviour& one, const NamedBehaviour& other,
                            const Difference& difference);

}  // namespace tcplab::reports
