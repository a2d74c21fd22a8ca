#include "lab/home/host_disk.hh"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.hh"
#include "base/escape.hh"
#include "base/file_descriptor.hh"
#include "base/output_file.hh"
#include "netns/host.hh"
#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"

namespace tcplab::lab {

namespace {

namespace fs = std::filesystem;
using base::FileDescriptor;

constexpr mode_t kMode = 0755;
constexpr mode_t kModeBits = 07777;

/// Makes one file of a disk like one of the template.
class Copier {
public:
  Copier(const DiskPlan& plan, const std::function<void()>& meanwhile)
      : plan_(plan), meanwhile_(meanwhile) {}

  void copy(const fs::path& from, const fs::path& to) const {
    struct stat status {};
    base::check("read " + from.string(), ::lstat(from.c_str(), &status));
    if (S_ISDIR(status.st_mode))
      fs::create_directory(to);
    else if (S_ISREG(status.st_mode))
      base::copy_content(from, to, meanwhile_);
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
  const std::function<void()>& meanwhile_;
};

void copy_all(const DiskPlan& plan, const fs::path& to, const std::function<void()>& meanwhile) {
  if (!fs::is_directory(plan.from))
    throw base::UsageError("option `from`: " + plan.from + " is no folder");
  const Copier copier(plan, meanwhile);
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

/// In the mount namespace of the host.
void mount_disk(const HostDisk& disk, const FileDescriptor& mount) {
  if (!fs::is_directory(disk.path)) {
    netns::require_private(disk.path);
    fs::create_directories(disk.path);
  }
  require_disk_path(fs::canonical(disk.path));  // a symbolic link may lead to / or /proc
  netns::place_mount(mount, disk.path);
}

}  // namespace

void require_disk_path(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw base::UsageError("the path \"" + base::c_escape(path) + "\" " + why);
  };
  const fs::path parts = path;
  if (path == "/") refuse("has the host's own files; a disk hides one folder, such as \"/srv\"");
  const auto is_jump = [](const fs::path& part) { return part == "." || part == ".."; };
  if (!path.starts_with('/') || path.ends_with('/') || path.find("//") != std::string::npos ||
      path.find('\0') != std::string::npos || std::any_of(parts.begin(), parts.end(), is_jump))
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
  const std::string options = "mode=700,nr_inodes=200k,size=" + std::to_string(room_.bytes);
  base::check("mount a tmpfs for disks",
              ::mount("tmpfs", place_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()));
  is_mounted_ = true;
}

void DiskStore::fill(const DiskPlan& plan, const fs::path& store,
                     const std::function<void()>& meanwhile) const {
  if (plan.from.empty()) return make_empty(plan, store);
  copy_all(plan, store, meanwhile);
  if (plan.mode) base::check("change the mode of a disk", ::chmod(store.c_str(), *plan.mode));
}

/// tmpfs limits the number of files, too (tmpfs(5), nr_inodes).
std::string DiskStore::no_room(const DiskPlan& plan) const {
  struct statvfs status {};
  const std::string text = plan.from.empty()
                               ? "the disks of the run have no room for one more"
                               : "the disks of the run have no room for all files of " + plan.from;
  if (::statvfs(place_.c_str(), &status) == 0 && status.f_ffree == 0)
    return text + "; the kernel allows " + std::to_string(status.f_files) + " files";
  return text + room_.advice;
}

HostDisk DiskStore::make(const DiskPlan& plan, const std::function<void()>& meanwhile) {
  if (!is_mounted_) mount();
  const fs::path store = place_ / std::to_string(++count_);
  try {
    fill(plan, store, meanwhile);
  } catch (const base::SystemError& error) {
    if (error.error() == ENOSPC) throw base::LabError(no_room(plan));
    throw base::UsageError(error.what());
  } catch (const fs::filesystem_error& error) {
    if (error.code().value() == ENOSPC) throw base::LabError(no_room(plan));
    throw base::UsageError(std::string("cannot fill a disk: ") + error.what());
  }
  return {.path = plan.path, .store = fs::absolute(store).string()};
}

void DiskStore::attach(const HostDisk& disk, netns::Machine& machine) {
  netns::Host* host = machine.namespaces();
  if (host == nullptr) return machine.agent().attach_folder(disk.store, disk.path);
  const FileDescriptor mount = netns::copy_mount(disk.store);
  const std::string wrong = host->do_inside([&] { mount_disk(disk, mount); });
  if (!wrong.empty()) throw base::UsageError(wrong);
}

/// If a private folder of the host covers the place, there is no mount, and nothing to hide.
void DiskStore::hide(netns::Machine& machine) const {
  netns::Host* host = machine.namespaces();
  if (host == nullptr) return machine.agent().hide_folder(fs::absolute(place_));
  const std::string wrong = host->do_inside([this] { ::umount2(place_.c_str(), MNT_DETACH); });
  if (!wrong.empty()) throw base::LabError(wrong);
}

}  // namespace tcplab::lab
