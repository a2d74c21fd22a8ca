#include "netns/mounts.hh"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::netns {

namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV | MS_NOEXEC;

// A folder that every machine has, that is empty underneath, and that gets a mount of its own
// right after: it carries the tmpfs while the files are bound to their places.
constexpr const char* kWorkplace = "/sys";

void write_file(const std::string& path, const std::string& content) {
  const std::string attempt = "write " + path;
  const base::FileDescriptor file(
      base::check(attempt, open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)));
  base::check(attempt, ::write(file.get(), content.data(), content.size()));
}

/// A folder of the machine's in which new files are the host's alone (overlayfs).
void make_overlay(const std::string& folder) {
  const std::string work = std::string(kWorkplace) + "/overlay";
  for (const std::string& part : {work, work + "/upper", work + "/work"})
    base::check("make " + part, mkdir(part.c_str(), 0755));
  const std::string options =
      "lowerdir=" + folder + ",upperdir=" + work + "/upper,workdir=" + work + "/work";
  if (mount("overlay", folder.c_str(), "overlay", kPlain, options.c_str()) == -1)
    throw base::LabError(
        "cannot give the host its /etc/hosts: this machine has none to cover, and "
        "no overlay (" +
        base::errno_name(errno) + "); touch /etc/hosts mends it");
}

/// Names of hosts are looked up in /etc/hosts: a bare system may have none.
void provide_hosts(const std::string& content) {
  constexpr const char* kHosts = "/etc/hosts";
  if (access(kHosts, F_OK) == 0) return;
  make_overlay("/etc");
  write_file(kHosts, content);
}

/// Covers a file; one that the machine does not have needs no cover.
void cover(const std::string& path, const std::string& name, const std::string& content) {
  if (access(path.c_str(), F_OK) == -1 && errno == ENOENT) return;
  const std::string source = std::string(kWorkplace) + "/" + name;
  write_file(source, content);
  base::check("mount over " + path, mount(source.c_str(), path.c_str(), nullptr, MS_BIND, nullptr));
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

void mount_host_files(const std::string& hosts, const std::string& hostname) {
  base::check("mount a tmpfs", mount("tmpfs", kWorkplace, "tmpfs", kPlain, "size=1m,mode=755"));
  provide_hosts(hosts);
  cover("/etc/hosts", "hosts", hosts);
  cover("/etc/hostname", "hostname", hostname + "\n");
  base::check("detach the tmpfs", umount2(kWorkplace, MNT_DETACH));
  // A container may forbid it; then its own /sys stays, and only /sys/class/net is wrong.
  if (mount("sysfs", "/sys", "sysfs", kPlain, nullptr) == -1 && errno != EPERM)
    throw base::SystemError("mount /sys", errno);
}

}  // namespace tcplab::netns
