// How well-known programs spell the settings that an audit advises. One row for each program.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::audit {

/// The spelling of each setting, with 30 s as the example; empty if the program has none.
struct ProgramSettings {
  std::string_view names;  // of its commands, separated by spaces
  std::string_view keepalive;
  std::string_view user_timeout;
  std::string_view application_timeout;
  std::string_view connect_timeout;
  std::string_view to_clients{};  // keepalive of a proxy's connections to its clients
};

/// Returns the row of the program in a command line, also behind `sh -c`; null if it is not known.
/// "/usr/bin/python3.11 a.py" is python.
const ProgramSettings* settings_of(const std::string& command);

}  // namespace tcplab::audit
