#include "netns/view/machine_files.hh"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/view/mount_table.hh"

namespace tcplab::netns {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

// The new root is made below this folder, which every machine has.
constexpr const char* kViewScratch = "/sys";
// As they are: a host mounts its own over them, if a container allows it.
constexpr std::array kKept = {"/proc", "/sys", "/dev"};
// A folder that overlayfs refuses is shown entry by entry, unless it has more entries than this.
constexpr std::size_t kMostEntries = 1000;

bool is_private(const std::string& path) {
  return std::ranges::any_of(private_folders(), [&](const std::string& folder) {
    return path == folder || is_below(path, folder);
  });
}

bool is_kept(const std::string& path) {
  return std::ranges::any_of(
      kKept, [&](const char* folder) { return path == folder || is_below(path, folder); });
}

std::string canonical(const std::string& path) {
  std::error_code unknown;
  return fs::weakly_canonical(path, unknown).string();
}

/// Returns the places where something is mounted that a view has to show.
std::set<std::string> mounted_places(const std::vector<std::string>& shown) {
  std::set<std::string> places;
  for (const Mount& mount : list_mounts()) {
    const bool is_shown = std::ranges::any_of(shown, [&](const std::string& folder) {
      return mount.path == folder || is_below(mount.path, folder);
    });
    if (is_shown || (!is_private(mount.path) && !is_kept(mount.path))) places.insert(mount.path);
  }
  return places;
}

/// Whether a file system has no UNIX sockets and FIFOs: FAT, exFAT and NTFS, which overlayfs
/// refuses.
bool has_plain_files_only(const FileDescriptor& folder) {
  constexpr std::array<std::uint32_t, 4> kTypes = {0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e};
  struct statfs status {};
  return ::fstatfs(folder.get(), &status) == 0 &&
         std::ranges::find(kTypes, static_cast<std::uint32_t>(status.f_type)) != kTypes.end();
}

/// Builds the new root.
class NewRoot {
public:
  explicit NewRoot(const std::vector<std::string>& shown) : places_(mounted_places(shown)) {
    for (const char* folder : kKept) kept_[folder] = copy_mounts(folder);
    base::check("mount a tmpfs",
                ::mount("tmpfs", kViewScratch, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"));
    for (const std::string& folder : {root_, nothing_}) make_folder(folder, 0755);
    base::check("mount a tmpfs",
                ::mount("tmpfs", root_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"));
  }

  void fill(const std::vector<std::string>& shown) {
    show("/");
    cover_private(shown);
    for (const char* folder : kKept)
      if (kept_[folder]) move(kept_[folder], folder);
  }

  /// Returns the folders that are no overlays, and the overlays that have these folders.
  MachineFiles files(const std::vector<std::string>& shown) const {
    std::set<std::string> found;
    for (const std::string& path : shown) {
      std::string nearest;
      for (const std::string& overlay : overlays_)
        if ((overlay == "/" || path == overlay || is_below(path, overlay)) &&
            overlay.size() > nearest.size())
          nearest = overlay;
      if (!nearest.empty()) found.insert(nearest);
    }
    return {open_, {found.begin(), found.end()}};
  }

  /// Makes it the root of this process, and removes the old one.
  void enter() const {
    base::check("enter the new root", ::chdir(root_.c_str()));
    base::check("change the root", ::syscall(SYS_pivot_root, ".", "."));
    base::check("remove the old root", ::umount2(".", MNT_DETACH));
    base::check("enter the new root", ::chdir("/"));
  }

private:
  static FileDescriptor copy_mounts(const char* folder) {
    constexpr unsigned kFlags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
    return FileDescriptor(static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, folder, kFlags)));
  }

  std::string target(const std::string& path) const { return path == "/" ? root_ : root_ + path; }

  static void make_folder(const std::string& path, mode_t mode) {
    if (::mkdir(path.c_str(), mode) == -1 && errno != EEXIST)
      throw base::SystemError("make " + path, errno);
    ::chmod(path.c_str(), mode);
  }

  void move(const FileDescriptor& mount, const std::string& path) const {
    base::check("mount " + path, ::syscall(SYS_move_mount, mount.get(), "", AT_FDCWD,
                                           target(path).c_str(), MOVE_MOUNT_F_EMPTY_PATH));
  }

  bool has_places_below(const std::string& path) const {
    if (path == "/") return true;
    return std::ranges::any_of(places_,
                               [&](const std::string& place) { return is_below(place, path); });
  }

  void show(const std::string& path) {
    const FileDescriptor folder = handle_of(path);
    if (!folder) return;
    if (overlay(folder, path)) {
      overlays_.push_back(path);
      show_places_in(path);
    } else if (!has_places_below(path) || !show_entries(folder, path)) {
      if (bind(folder, path) && !has_plain_files_only(folder)) open_.push_back(path);
    }
  }

  /// An overlay shows only the file system of its folder. Shows what is mounted below; what lies in
  /// private folders is shown when these are covered.
  void show_places_in(const std::string& path) {
    std::string shown = path;  // it has the places below it
    for (const std::string& place : places_) {
      const bool is_here = path == "/" ? place != "/" : is_below(place, path);
      if (!is_here || (is_private(place) && !is_private(path)) ||
          (shown != path && is_below(place, shown)))
        continue;
      shown = place;
      show_any(place);
    }
  }

  void show_any(const std::string& path) {
    struct stat status {};
    const FileDescriptor file = handle_of(path);
    if (!file || ::stat(path_of(file).c_str(), &status) == -1) return;
    if (S_ISDIR(status.st_mode)) return show(path);
    if (S_ISREG(status.st_mode)) bind(file, path);
  }

  /// Returns false if the kernel refuses it: it has no overlayfs, or the folder is of a kind that
  /// overlayfs does not take, or an ordinary user may not see what lies under a mount in it.
  bool overlay(const FileDescriptor& folder, const std::string& path) const {
    const FileDescriptor nothing = handle_of(nothing_);
    const std::string options = "lowerdir=" + path_of(folder) + ":" + path_of(nothing);
    const unsigned long flags = MS_RDONLY | MS_NODEV | mount_flags_at(path_of(folder));
    return ::mount("overlay", target(path).c_str(), "overlay", flags, options.c_str()) == 0;
  }

  /// Returns false if the file is gone, or this user may not see it.
  bool bind(const FileDescriptor& file, const std::string& path) const {
    if (::mount(path_of(file).c_str(), target(path).c_str(), nullptr, MS_BIND | MS_REC, nullptr) ==
        0)
      return true;
    base::check("mount " + path, errno == ENOENT || errno == EACCES ? 0 : -1);
    return false;
  }

  /// Returns false if it shows nothing: the folder cannot be read, or has too many entries.
  bool show_entries(const FileDescriptor& folder, const std::string& path) {
    std::error_code unreadable;
    const fs::directory_iterator entries(path_of(folder) + "/", unreadable);
    if (unreadable) return false;
    std::vector<fs::directory_entry> listed;
    for (auto entry = begin(entries); entry != end(entries); entry.increment(unreadable))
      listed.push_back(*entry);
    if (listed.size() > kMostEntries) return false;
    struct stat status {};
    if (path != "/" && ::stat(path_of(folder).c_str(), &status) == 0) {
      base::check("mount a tmpfs", ::mount("tmpfs", target(path).c_str(), "tmpfs",
                                           MS_NOSUID | MS_NODEV, "mode=755"));
      ::chmod(target(path).c_str(), status.st_mode & 07777U);
    }
    for (const fs::directory_entry& entry : listed)
      show_entry((path == "/" ? "" : path) + "/" + entry.path().filename().string());
    return true;
  }

  void show_entry(const std::string& path) {
    const FileDescriptor file(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) == -1) return;
    if (S_ISLNK(status.st_mode)) {
      fs::copy_symlink(path, target(path));
    } else if (S_ISDIR(status.st_mode)) {
      make_folder(target(path), status.st_mode & 07777U);
      if (!is_private(path) && !is_kept(path)) show(path);
    } else if (S_ISREG(status.st_mode)) {
      const FileDescriptor made(::open(target(path).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
      bind(file, path);
    }
  }

  /// Gives each private folder a tmpfs that has only the folders `shown`.
  void cover_private(const std::vector<std::string>& shown) {
    for (const std::string& folder : private_folders()) {
      // A link, as of /var/tmp to /tmp, leads to another one of them.
      if (!fs::is_directory(fs::symlink_status(target(folder)))) continue;
      base::check("mount a tmpfs", ::mount("tmpfs", target(folder).c_str(), "tmpfs",
                                           MS_NOSUID | MS_NODEV, "mode=755"));
      for (const std::string& path : shown) {
        std::error_code unknown;
        if (!is_below(path, folder) || !fs::is_directory(path, unknown)) continue;
        fs::create_directories(target(path), unknown);
        show(path);
      }
    }
  }

  const std::string root_ = std::string(kViewScratch) + "/root";
  const std::string nothing_ = std::string(kViewScratch) + "/nothing";
  std::set<std::string> places_;
  std::vector<std::string> open_;
  std::vector<std::string> overlays_;
  std::map<std::string, FileDescriptor> kept_;
};

}  // namespace

MachineFiles show_machine_files(const std::vector<std::string>& folders) {
  std::vector<std::string> shown;
  shown.reserve(folders.size());
  for (const std::string& folder : folders) shown.push_back(canonical(folder));
  NewRoot root(shown);
  root.fill(shown);
  MachineFiles files = root.files(shown);
  root.enter();
  return files;
}

/// A change of the file system's options drops what it remembers of names (reconfigure_super(),
/// fs/super.c). They stay as they are.
void refresh_overlay(int overlay) {
  const FileDescriptor change(
      static_cast<int>(::syscall(SYS_fspick, overlay, "", FSPICK_CLOEXEC | FSPICK_EMPTY_PATH)));
  if (!change) return;
  if (::syscall(SYS_fsconfig, change.get(), FSCONFIG_SET_FLAG, "ro", nullptr, 0) == 0)
    ::syscall(SYS_fsconfig, change.get(), FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr, 0);
}

}  // namespace tcplab::netns
