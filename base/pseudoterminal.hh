// A pseudoterminal (pty(7)).
#pragma once

#include "base/file_descriptor.hh"

namespace tcplab::base {

struct Pseudoterminal {
  FileDescriptor ours;    // the master: what is typed goes in, what is shown comes out
  FileDescriptor theirs;  // the slave: the terminal of a program
};

/// Creates one with both ends close-on-exec. It is nobody's controlling terminal yet. Throws
/// SystemError.
Pseudoterminal make_pseudoterminal();

}  // namespace tcplab::base
