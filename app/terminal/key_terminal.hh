// Reads one key at a time from a terminal, without echo and without Enter. The terminal's modes are
// changed only while waiting for a key. A signal that would end or stop the program waits until
// they are restored.
#pragma once

#include <optional>

namespace tcplab::app {

/// Waits for a key and returns it. Returns nothing at the end of input (Ctrl-D, or the terminal is
/// gone). Does not return if a signal ends the program. Throws base::SystemError.
std::optional<char> next_key(int terminal);

}  // namespace tcplab::app
