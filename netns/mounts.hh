// What a process does to the mount namespace that it has to itself (mount_namespaces(7)), so
// that programs see their own processes, their own host's name and their own devices. Nothing
// is written to a file system that outlives the namespace.
#pragma once

#include <string>

namespace tcplab::netns {

/// Nothing that is mounted from here on is seen outside.
void make_mounts_private();

/// /proc of the caller's pid namespace. False where a container forbids it (EPERM): the old
/// /proc then stays, which shows another pid namespace's processes.
bool mount_proc();

/// /etc/hosts and /etc/hostname with these contents, and /sys of the caller's network namespace.
/// Throws base::SystemError.
void mount_host_files(const std::string& hosts, const std::string& hostname);

}  // namespace tcplab::netns
