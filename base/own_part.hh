// Finds the files that belong to tcplab and are no programs for users.
#pragma once

#include <string>

namespace tcplab::base {

/// Returns the path of a file that is beside this program, or where it is installed
/// (libexec/tcplab). Throws LabError if there is none.
std::string find_own_part(const std::string& name);

}  // namespace tcplab::base
