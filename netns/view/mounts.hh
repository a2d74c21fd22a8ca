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

/// Mounts a file system of this type where no program sees it. Only the returned descriptor leads
/// there (path_of(), mount_table.hh). `folder`: any folder; it is covered for a short time.
base::FileDescriptor mount_unseen(const std::string& type, const std::string& folder);

/// Copies the mount at a folder. The copy can be mounted in another namespace (open_tree(2)).
base::FileDescriptor copy_mount(const std::string& folder);
/// Mounts the copy at a folder, which must be there (move_mount(2)).
void place_mount(const base::FileDescriptor& copy, const std::string& folder);

inline constexpr const char* kResolverFile = "/etc/resolv.conf";

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

/// Replaces the text of the host's resolver file by the descriptor of one of the functions above.
/// Throws base::LabError if it is empty.
void write_resolver_file(const base::FileDescriptor& file, const std::string& text);

}  // namespace tcplab::netns
