// From a command line to an exit status: what main() does.
#pragma once

#include <string>

namespace tcplab::dnc {

/// 0 done; 1 a call on the network failed; 2 usage; 3 dnc itself could not go on.
int run_program(int argc, const char* const* argv, const std::string& version);

}  // namespace tcplab::dnc
