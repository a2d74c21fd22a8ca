// Builds a kernel for hosts from its source.
#pragma once

#include <string>

namespace tcplab::engine {

/// Builds a kernel in built_kernels_folder(). `source`: a version, for Debian's package
/// linux-source-VERSION, a .tar file or a folder. Does not return: a script takes the place of this
/// program. Throws base::UsageError, base::LabError or base::SystemError if there is no folder or
/// no script.
[[noreturn]] void build_kernel(const std::string& source);

}  // namespace tcplab::engine
