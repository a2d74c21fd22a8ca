// Permissions of files, as scripts write them.
#pragma once

#include <sys/types.h>

#include <string>

namespace tcplab::lab {

/// Returns the permissions that octal digits stand for: "0600". Throws base::UsageError.
mode_t mode_named(const std::string& digits);

}  // namespace tcplab::lab
