// Prepares the mount namespace of a host or a run (mount_namespaces(7)): its programs see their own
// processes, host name and network devices. Nothing is written to a file system that outlives the
// namespace.
#pragma once

#include <string>

namespace tcplab::netns {

/// Keeps later mounts from propagating out of this namespace.
void make_mounts_private();

/// Mounts the /proc of the caller's pid namespace. Returns false if a container forbids it (EPERM);
/// the old /proc then stays, and shows the processes of another pid namespace.
bool mount_proc();

struct HostFiles {
  std::string hosts;  // the text of /etc/hosts
  std::string name;
  std::string boot_id;
};

/// Provides /etc/hosts, /etc/hostname and /proc/sys/kernel/random/boot_id with these contents, and
/// the /sys of the caller's network namespace. Throws base::SystemError.
void mount_host_files(const HostFiles& files);

}  // namespace tcplab::netns
