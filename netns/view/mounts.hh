// Prepares the mount namespace of a host or a run (mount_namespaces(7)): its programs see their own
// processes, host name and network devices. Nothing is written to a file system that outlives the
// namespace.
#pragma once

#include <string>

#include "base/file_descriptor.hh"

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
/// the /sys of the caller's network namespace. Mounts an empty file over /etc/resolv.conf, and
/// returns a descriptor to write it: programs cannot. The descriptor is empty if the machine has no
/// such file. Throws base::SystemError.
base::FileDescriptor mount_host_files(const HostFiles& files);

/// Makes the file that the machine's /etc/resolv.conf is a link to, in a private folder of the
/// host: after contain_files(), which covers it. Returns a descriptor to write it; empty if it
/// cannot.
base::FileDescriptor make_resolver_file();

}  // namespace tcplab::netns
