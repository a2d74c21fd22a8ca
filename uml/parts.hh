// Finds tcplab's own files for guests: beside this program, or where they are installed.
#pragma once

#include <string>

namespace tcplab::uml {

struct Parts {
  std::string agent;    // the init of the guest
  std::string preload;  // the library of its kernel process
};

/// Returns the paths of the files that a guest needs besides its kernel. Throws base::LabError if
/// one is missing.
Parts find_parts();

}  // namespace tcplab::uml
