// Refuses system calls that reach the machine from inside namespaces, with a seccomp(2) filter: new
// user and cgroup namespaces, keys, sockets of address families that hosts lack, and changes of the
// init's limits.
#pragma once

namespace tcplab::netns {

/// For this process and all that it ever starts. docs/your-program.md has the list. Needs
/// CAP_SYS_ADMIN or no_new_privs; sets the latter if it must. Throws base::SystemError.
void refuse_calls(bool may_make_user_namespaces);

}  // namespace tcplab::netns
