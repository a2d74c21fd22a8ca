// Opens the files that processes have mapped.
#pragma once

#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::capture {

/// Opens a file that a process has mapped, for reading. Its name may by now be that of something
/// else: what is no regular file is not opened, and the descriptor is empty.
base::FileDescriptor open_mapped(const std::string& path);

}  // namespace tcplab::capture
