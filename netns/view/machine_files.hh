// Shows the machine's files to programs on hosts, through overlayfs. A read-only mount is not
// enough: through it, a program can connect to a UNIX socket of the machine and write into a FIFO.
// In an overlayfs, sockets and FIFOs are new objects, not connected to those of the machine (Linux,
// Documentation/filesystems/overlayfs.rst).
#pragma once

#include <string>
#include <vector>

namespace tcplab::netns {

struct MachineFiles {
  /// Folders where sockets and FIFOs are still those of the machine, because it has no overlayfs,
  /// or refuses it for them.
  std::vector<std::string> open_folders;
  /// Where the overlays are mounted that have the folders `shown`.
  std::vector<std::string> overlays;
};

/// In a mount namespace of this process alone, whose mounts are private: replaces its root by one
/// that shows the machine's files as they are now. A file that is created or replaced later may be
/// missing; see refresh_overlay(). The new root has the /proc, /sys and /dev of before, which
/// contain_files() covers, and nothing in /tmp, /var/tmp and /run except the folders `shown`.
/// Throws base::SystemError.
MachineFiles show_machine_files(const std::vector<std::string>& shown);

/// Lets an overlay show what has changed below, except for files that are in use. `overlay`: a
/// descriptor of its root (open(2), O_PATH); it may be in another mount namespace. Does nothing
/// before Linux 5.2.
void refresh_overlay(int overlay);

}  // namespace tcplab::netns
