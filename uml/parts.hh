// Finds the files that a guest needs beside its kernel.
#pragma once

#include <string>

namespace tcplab::uml {

struct Parts {
  std::string agent;    // the init of the guest
  std::string preload;  // the library of its kernel process
};

/// Returns the paths: beside this program, or where it is installed. Throws base::LabError if they
/// are missing.
Parts find_parts();

}  // namespace tcplab::uml
