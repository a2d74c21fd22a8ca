// One key at a time from a terminal, without echo and without Enter. The terminal has other modes
// only while a key is awaited, and its own again on every way out: a signal that ends or stops the
// program meanwhile waits until they are back.
#pragma once

#include <optional>

namespace tcplab::engine {

/// The next key pressed at this terminal. Nothing at the end of input (Ctrl-D, or the terminal is
/// gone). Does not come back from a signal that ends the program. Throws base::SystemError.
std::optional<char> next_key(int terminal);

}  // namespace tcplab::engine
