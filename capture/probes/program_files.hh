// The files that a program consists of: itself, its interpreter, and the libraries that it is
// linked with. As ldd(1) lists them, but nothing runs: ld.so(8) says where it looks.
#pragma once

#include <string>
#include <vector>

namespace tcplab::capture {

struct ProgramFiles {
  std::vector<std::string> files;    // the program's own file first, absolute
  std::vector<std::string> missing;  // libraries that were not found
  bool is_script = false;            // the program's own file is its interpreter
};

/// `path`: a program, a script, or a library. A script consists of its interpreter's files. Throws
/// base::UsageError if it cannot be read, or is none of these.
ProgramFiles program_files(const std::string& path);

}  // namespace tcplab::capture
