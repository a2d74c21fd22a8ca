// Writes a file of a scenario into the private folders of a host: a configuration, a key.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "netns/view/program_user.hh"

namespace tcplab::netns {

struct PrivateFile {
  std::string path;
  std::string text;
  mode_t mode = 0644;
  std::optional<ProgramUser> owner{};  // nothing: the lab's user, as programs have it
};

/// Throws base::UsageError unless a script may write to this path: it is absolute, names a file,
/// and is below /tmp, /var/tmp, /run or /dev/shm, without "." and "..".
void require_private(const std::string& path);

/// To be called on the host (Host::do_inside()). Makes the missing folders, with the mode 0755 and
/// the owner of the file, and then the file. It replaces an earlier file at once (rename(2)).
/// Follows no symbolic link below the private folder. Throws base::LabError that names the path.
void write_private(const PrivateFile& file);

}  // namespace tcplab::netns
