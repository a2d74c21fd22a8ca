#include "netns/view/mounts.hh"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::netns {

namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV | MS_NOEXEC;

// The tmpfs with the host's files is mounted here until the files are bound to their places. Every
// machine has this folder, and a new sysfs is mounted there afterwards.
constexpr const char* kScratch = "/sys";

void write_file(const std::string& path, const std::string& content) {
  const std::string attempt = "write " + path;
  const base::FileDescriptor file(
      base::check(attempt, open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)));
  base::check(attempt, ::write(file.get(), content.data(), content.size()));
}

/// Mounts an overlayfs over a folder of the machine. New files in it exist only on this host.
void make_overlay(const std::string& folder) {
  const std::string work = std::string(kScratch) + "/overlay";
  for (const std::string& part : {work, work + "/upper", work + "/work"})
    base::check("make " + part, mkdir(part.c_str(), 0755));
  const std::string options =
      "lowerdir=" + folder + ",upperdir=" + work + "/upper,workdir=" + work + "/work";
  if (mount("overlay", folder.c_str(), "overlay", kPlain, options.c_str()) == -1)
    throw base::LabError(
        "cannot give the host its /etc/hosts: this machine has no such file to mount over, and "
        "overlayfs failed (" +
        base::errno_name(errno) + "); run: sudo touch /etc/hosts");
}

/// Creates /etc/hosts if the machine has none, as a minimal system may.
void ensure_hosts_file(const std::string& content) {
  constexpr const char* kHosts = "/etc/hosts";
  if (access(kHosts, F_OK) == 0) return;
  make_overlay("/etc");
  write_file(kHosts, content);
}

/// Mounts a file with this content over `path`, if the machine has such a file.
void mount_over(const std::string& path, const std::string& name, const std::string& content) {
  if (access(path.c_str(), F_OK) == -1 && errno == ENOENT) return;
  const std::string source = std::string(kScratch) + "/" + name;
  write_file(source, content);
  base::check("mount over " + path, mount(source.c_str(), path.c_str(), nullptr, MS_BIND, nullptr));
}

/// Mounts an empty file over /etc/resolv.conf. The descriptor can write it after it has become
/// read-only. Empty if the machine has no such file, or a link to one that is not there.
base::FileDescriptor mount_resolver_file() {
  mount_over(kResolverFile, "resolv.conf", "");
  const std::string source = std::string(kScratch) + "/resolv.conf";
  return base::FileDescriptor(open(source.c_str(), O_WRONLY | O_CLOEXEC));
}

}  // namespace

void make_mounts_private() {
  base::check("make mounts private", mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr));
}

bool mount_proc() {
  if (mount("proc", "/proc", "proc", kPlain, nullptr) == 0) return true;
  if (errno == EPERM) return false;
  throw base::SystemError("mount /proc", errno);
}

base::FileDescriptor mount_unseen(const std::string& type, const std::string& folder) {
  base::check("mount " + type, mount("none", folder.c_str(), type.c_str(), kPlain, nullptr));
  base::FileDescriptor root(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  base::check("hide the mount of " + type, umount2(folder.c_str(), MNT_DETACH));
  return root;
}

base::FileDescriptor copy_mount(const std::string& folder) {
  constexpr unsigned kFlags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  return base::FileDescriptor(static_cast<int>(
      base::check("open " + folder, syscall(SYS_open_tree, AT_FDCWD, folder.c_str(), kFlags))));
}

void place_mount(const base::FileDescriptor& copy, const std::string& folder) {
  base::check("mount " + folder, syscall(SYS_move_mount, copy.get(), "", AT_FDCWD, folder.c_str(),
                                         MOVE_MOUNT_F_EMPTY_PATH));
}

base::FileDescriptor mount_host_files(const HostFiles& files) {
  base::check("mount a tmpfs", mount("tmpfs", kScratch, "tmpfs", kPlain, "size=1m,mode=755"));
  ensure_hosts_file(files.hosts);
  mount_over("/etc/hosts", "hosts", files.hosts);
  mount_over("/etc/hostname", "hostname", files.name + "\n");
  mount_over("/proc/sys/kernel/random/boot_id", "boot_id", files.boot_id + "\n");
  base::FileDescriptor resolver = mount_resolver_file();
  base::check("detach the tmpfs", umount2(kScratch, MNT_DETACH));
  // A container may forbid this mount. Then the container's /sys stays, and only /sys/class/net is
  // wrong.
  if (mount("sysfs", "/sys", "sysfs", kPlain, nullptr) == -1 && errno != EPERM)
    throw base::SystemError("mount /sys", errno);
  return resolver;
}

base::FileDescriptor make_resolver_file() {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::weakly_canonical(kResolverFile, unknown);
  std::filesystem::create_directories(path.parent_path(), unknown);
  return base::FileDescriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

void write_resolver_file(const base::FileDescriptor& file, const std::string& text) {
  const std::string attempt = std::string("write ") + kResolverFile;
  if (!file)
    throw base::LabError("cannot " + attempt +
                         ": this machine has no such file to mount over; run: sudo touch " +
                         kResolverFile);
  base::check(attempt, pwrite(file.get(), text.data(), text.size(), 0));
  base::check(attempt, ftruncate(file.get(), static_cast<off_t>(text.size())));
}

}  // namespace tcplab::netns
