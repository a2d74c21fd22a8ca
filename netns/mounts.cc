#include "netns/mounts.hh"

#include <fcntl.h>
#include <sys/mount.h>
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
  cover("/etc/hosts", "hosts", hosts);
  cover("/etc/hostname", "hostname", hostname + "\n");
  base::check("detach the tmpfs", umount2(kWorkplace, MNT_DETACH));
  // A container may forbid it; then its own /sys stays, and only /sys/class/net is wrong.
  if (mount("sysfs", "/sys", "sysfs", kPlain, nullptr) == -1 && errno != EPERM)
    throw base::SystemError("mount /sys", errno);
}

}  // namespace tcplab::netns
