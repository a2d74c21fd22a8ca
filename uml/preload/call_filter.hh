// The system calls that the machine's kernel refuses to the process of a guest's kernel.
#pragma once

namespace tcplab::uml {

/// Filters the calls of this process, and of all that it starts, for good (seccomp(2)). It needs
/// no_new_privs. Without a view of the machine's files, the mounts are those of the lab: then calls
/// that change a file without writing to it, which Landlock allows, are refused, too. Returns -1
/// and sets errno if the kernel refuses the filter.
long filter_calls(bool has_view);

}  // namespace tcplab::uml
