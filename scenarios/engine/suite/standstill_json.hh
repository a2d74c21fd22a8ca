// A reports::Standstill as one line of JSON, from the run's process to the one that shows it.
#pragma once

#include <string>

#include "reports/story/standstill.hh"

namespace tcplab::engine {

std::string to_json(const reports::Standstill& stand);
/// Throws where the text is not what to_json() makes.
reports::Standstill parse_standstill(const std::string& text);

}  // namespace tcplab::engine
