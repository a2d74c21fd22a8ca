// The words about what an audit requires and a cell misses.
#pragma once

#include <string>

#include "audit/requirements.hh"

namespace tcplab::reports {

/// Returns "never noticed; required within 30 s" or another line about the miss.
std::string miss_words(const audit::Miss& miss, const audit::Requirements& requirements);

}  // namespace tcplab::reports
