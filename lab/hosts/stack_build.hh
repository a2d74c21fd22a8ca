// Builds a TCP stack for hosts from the sources in examples/stacks.
#pragma once

#include <string>

namespace tcplab::lab {

/// Builds a known stack. Returns the exit status of the script that does it. Throws
/// base::UsageError for an unknown name.
int build_stack(const std::string& name);

}  // namespace tcplab::lab
