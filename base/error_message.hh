// The message of any exception, in our words.
#pragma once

#include <exception>
#include <string>

namespace tcplab::base {

/// Returns the message of an exception. Writes those of std::filesystem like ours: "cannot access
/// runs: Permission denied (EACCES)".
std::string message_of(const std::exception& error);

}  // namespace tcplab::base
