// The mounts of this mount namespace (proc_pid_mountinfo(5)), and which folders are private to a
// host.
#pragma once

#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

struct Mount {
  std::string path;
  unsigned long flags = 0;  // that a remount has to repeat: MS_NOSUID, MS_NODEV, MS_NOEXEC
};

/// Returns the mounts, the oldest first. Throws base::LabError.
std::vector<Mount> list_mounts();
/// Returns these flags of the mount at a path (statvfs(3)); 0 if the path cannot be reached.
unsigned long mount_flags_at(const std::string& path);

/// Returns the private folders, which are empty at first on each host. /tmp is the last, because
/// the lab prepares the others in it.
const std::vector<std::string>& private_folders();

/// Opens a path to name it later, whatever is mounted over it then (O_PATH, open(2)). Empty if it
/// cannot be opened.
base::FileDescriptor handle_of(const std::string& path);
/// Returns a path of the file that a handle names.
std::string path_of(const base::FileDescriptor& handle);

bool is_below(const std::string& path, const std::string& folder);

}  // namespace tcplab::netns
