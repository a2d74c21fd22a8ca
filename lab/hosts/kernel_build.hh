// Builds a kernel for hosts from its source.
#pragma once

#include <string>

namespace tcplab::lab {

/// Builds a kernel in built_kernels_folder(). `source`: a version, for Debian's package
/// linux-source-VERSION, a .tar file or a folder. Returns the exit status of the script that does
/// it. SIGHUP, SIGINT and SIGTERM end the build; so does the death of this process. Then nothing of
/// it is left. Throws base::UsageError, base::LabError or base::SystemError if there is no folder
/// or no script.
int build_kernel(const std::string& source);

/// Runs such a script, `script SOURCE FOLDER`, in the same way.
int run_builder(const std::string& script, const std::string& source, const std::string& folder);

}  // namespace tcplab::lab
