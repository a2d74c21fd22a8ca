// Finds the files that belong to tcplab and are no programs for users, and those that it has built.
#pragma once

#include <filesystem>
#include <string>

namespace tcplab::base {

/// Returns the path of a file that is beside this program, or where it is installed
/// (libexec/tcplab). Throws LabError if there is none.
std::string find_own_part(const std::string& name);

/// Returns the folder of what tcplab has built for this user: $XDG_CACHE_HOME/tcplab, or else
/// ~/.cache/tcplab. Empty if there is neither this variable nor HOME.
std::filesystem::path own_cache_folder();

}  // namespace tcplab::base
