#include "scenarios/engine/home/host_disk.hh"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.hh"
#include "base/escape.hh"
#include "base/file_descriptor.hh"
#include "netns/host.hh"
#include "netns/view/private_file.hh"

namespace tcplab::engine {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

// Of all disks of a run together. It bounds what programs can fill.
constexpr const char* kOptions = "size=1g,mode=700";
constexpr mode_t kMode = 0755;
constexpr mode_t kModeBits = 07777;

/// Makes one file of a disk like one of the template.
class Copier {
public:
  explicit Copier(const DiskPlan& plan) : plan_(plan) {}

  void copy(const fs::path& from, const fs::path& to) const {
    struct stat status {};
    base::check("read " + from.string(), ::lstat(from.c_str(), &status));
    if (S_ISDIR(status.st_mode))
      fs::create_directory(to);
    else if (S_ISREG(status.st_mode))
      fs::copy_file(from, to);
    else if (S_ISLNK(status.st_mode))
      fs::copy_symlink(from, to);
    else
      throw base::UsageError("cannot copy " + from.string() +
                             " to a disk: it is no file, folder or symbolic link");
    const uid_t user = plan_.owner ? plan_.owner->user : status.st_uid;
    const gid_t group = plan_.owner ? plan_.owner->group : status.st_gid;
    // Without root, all files belong to the user that runs the programs.
    if (::lchown(to.c_str(), user, group) == -1 && errno != EPERM && errno != EINVAL)
      throw base::SystemError("change the owner of " + to.string(), errno);
    if (!S_ISLNK(status.st_mode))
      base::check("change the mode of " + to.string(),
                  ::chmod(to.c_str(), status.st_mode & kModeBits));
  }

private:
  const DiskPlan& plan_;
};

void copy_all(const DiskPlan& plan, const fs::path& to, const std::function<void()>& meanwhile) {
  if (!fs::is_directory(plan.from))
    throw base::UsageError("option `from`: " + plan.from + " is no folder");
  const Copier copier(plan);
  copier.copy(plan.from, to);
  for (const auto& entry : fs::recursive_directory_iterator(plan.from)) {
    meanwhile();
    copier.copy(entry.path(), to / entry.path().lexically_relative(plan.from));
  }
}

void make_empty(const DiskPlan& plan, const fs::path& store) {
  fs::create_directory(store);
  base::check("change the mode of a disk", ::chmod(store.c_str(), plan.mode.value_or(kMode)));
  if (plan.owner)
    base::check("change the owner of a disk",
                ::chown(store.c_str(), plan.owner->user, plan.owner->group));
}

/// A copy of the mount at that folder. It can be moved into another mount namespace
/// (open_tree(2), move_mount(2)).
FileDescriptor clone_mount(const std::string& folder) {
  return FileDescriptor(static_cast<int>(base::check(
      "open the disk " + folder,
      ::syscall(SYS_open_tree, AT_FDCWD, folder.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC))));
}

/// In the mount namespace of the host.
void mount_disk(const HostDisk& disk, int mount) {
  if (!fs::is_directory(disk.path)) {
    netns::require_private(disk.path);
    fs::create_directories(disk.path);
  }
  base::check(
      "mount a disk at " + disk.path,
      ::syscall(SYS_move_mount, mount, "", AT_FDCWD, disk.path.c_str(), MOVE_MOUNT_F_EMPTY_PATH));
}

}  // namespace

void require_disk_path(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw base::UsageError("the path \"" + base::c_escape(path) + "\" " + why);
  };
  const fs::path parts = path;
  const auto is_jump = [](const fs::path& part) { return part == "." || part == ".."; };
  if (!path.starts_with('/') || path.ends_with('/') || path.find('\0') != std::string::npos ||
      std::any_of(parts.begin(), parts.end(), is_jump))
    refuse("is no place for a disk; write a whole path, such as \"/tmp/disk\"");
  for (const char* folder : {"/proc", "/sys", "/dev"})
    if (path == folder || path.starts_with(std::string(folder) + "/"))
      refuse("is below " + std::string(folder) + ", where no disk can be");
}

DiskStore::~DiskStore() {
  if (!is_mounted_) return;
  std::error_code ignored;
  ::umount2(place_.c_str(), MNT_DETACH);
  fs::remove(place_, ignored);
}

void DiskStore::mount() {
  fs::create_directories(place_);
  base::check("mount a tmpfs for disks",
              ::mount("tmpfs", place_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, kOptions));
  is_mounted_ = true;
}

HostDisk DiskStore::make(const DiskPlan& plan, const std::function<void()>& meanwhile) {
  if (!is_mounted_) mount();
  const fs::path store = place_ / std::to_string(++count_);
  try {
    if (plan.from.empty()) {
      make_empty(plan, store);
    } else {
      copy_all(plan, store, meanwhile);
      if (plan.mode) base::check("change the mode of a disk", ::chmod(store.c_str(), *plan.mode));
    }
  } catch (const fs::filesystem_error& error) {
    throw base::UsageError(std::string("cannot fill a disk: ") + error.what());
  }
  return {.path = plan.path, .store = fs::absolute(store).string()};
}

void DiskStore::attach(const HostDisk& disk, netns::Machine& machine) {
  netns::Host* host = machine.namespaces();
  if (host == nullptr) return machine.attach_folder(disk.store, disk.path);
  const FileDescriptor mount = clone_mount(disk.store);
  const std::string wrong = host->do_inside([&] { mount_disk(disk, mount.get()); });
  if (!wrong.empty()) throw base::UsageError(wrong);
}

/// If a private folder of the host covers the place, there is no mount, and nothing to hide.
void DiskStore::hide(netns::Machine& machine) const {
  netns::Host* host = machine.namespaces();
  if (host == nullptr) return machine.hide_folder(fs::absolute(place_));
  const std::string wrong = host->do_inside([this] { ::umount2(place_.c_str(), MNT_DETACH); });
  if (!wrong.empty()) throw base::LabError(wrong);
}

}  // namespace tcplab::engine
