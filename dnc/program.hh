// Runs dnc: the whole of main(), from the command line to the exit status.
#pragma once

#include <string>

namespace tcplab::dnc {

/// Returns the exit status: 0 the connection has ended, 1 a network call failed, 2 wrong usage, 3
/// dnc could not go on for a reason of its own.
int run_program(int argc, const char* const* argv, const std::string& version);

}  // namespace tcplab::dnc
