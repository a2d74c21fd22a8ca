#include "netns/view/mount_table.hh"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.hh"
#include "base/split.hh"

namespace tcplab::netns {

namespace {

/// Turns "\040" into a space, as in /proc/self/mountinfo.
std::string unescaped(const std::string& text) {
  constexpr std::size_t kDigits = 3;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + kDigits < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, kDigits), nullptr, 8));
      i += kDigits;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The flags that a remount has to repeat. Those of an outer user namespace are locked. The kernel
/// keeps those about access times (do_mount()).
unsigned long flags_of(const std::string& options) {
  constexpr std::array<std::pair<const char*, unsigned long>, 3> kNames = {
      {{"nosuid", MS_NOSUID}, {"nodev", MS_NODEV}, {"noexec", MS_NOEXEC}}};
  unsigned long flags = 0;
  for (const std::string& word : base::split(options, ','))
    for (const auto& [name, flag] : kNames)
      if (word == name) flags |= flag;
  return flags;
}

}  // namespace

std::vector<Mount> list_mounts() {
  std::vector<Mount> found;
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, root, path, options;
    fields >> id >> parent >> device >> root >> path >> options;
    found.push_back({unescaped(path), flags_of(options)});
  }
  if (found.empty()) throw base::LabError("cannot read /proc/self/mountinfo");
  return found;
}

unsigned long mount_flags_at(const std::string& path) {
  struct statvfs status {};
  unsigned long flags = 0;
  if (::statvfs(path.c_str(), &status) == -1) return flags;
  if ((status.f_flag & ST_NOSUID) != 0) flags |= MS_NOSUID;
  if ((status.f_flag & ST_NODEV) != 0) flags |= MS_NODEV;
  if ((status.f_flag & ST_NOEXEC) != 0) flags |= MS_NOEXEC;
  return flags;
}

const std::vector<std::string>& private_folders() {
  static const std::vector<std::string> kFolders = {"/var/tmp", "/run", "/tmp"};
  return kFolders;
}

base::FileDescriptor handle_of(const std::string& path) {
  return base::FileDescriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
}

std::string path_of(const base::FileDescriptor& handle) {
  return "/proc/self/fd/" + std::to_string(handle.get());
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace tcplab::netns
