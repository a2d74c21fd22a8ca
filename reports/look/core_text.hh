// What `tcplab look` prints of a core file, as text and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "look/looked_core.hh"
#include "reports/text/style.hh"

namespace tcplab::reports {

void write_core(std::ostream& out, const std::string& path, const look::LookedCore& core,
                const Style& style);
void write_core_json(std::ostream& out, const std::string& path, const look::LookedCore& core);

}  // namespace tcplab::reports
