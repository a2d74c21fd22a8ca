// A pseudoterminal (pty(7)).
#pragma once

#include "base/file_descriptor.hh"

namespace tcplab::base {

struct Pseudoterminal {
  FileDescriptor ours;    // the end of who plays the user
  FileDescriptor theirs;  // the terminal of a program
};

/// Creates one with both ends close-on-exec. It is nobody's controlling terminal yet. Throws
/// SystemError.
Pseudoterminal make_pseudoterminal();

}  // namespace tcplab::base
