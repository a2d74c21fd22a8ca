#include "uml/preload/confinement.hh"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "uml/clock_page.hh"
#include "uml/preload/call_filter.hh"

namespace tcplab::uml {

namespace {

constexpr unsigned kNobody = 65534;

// Parts of Landlock that are younger than the headers of Debian 12 (linux/landlock.h).
struct Ruleset {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scopes;
};
constexpr std::uint64_t kTruncate = 1ULL << 14;       // since version 3
constexpr std::uint64_t kConnections = 3;             // bind and connect of TCP, since version 4
constexpr std::uint64_t kDeviceControl = 1ULL << 15;  // since version 5
constexpr std::uint64_t kScopes = 3;                  // abstract UNIX sockets and signals, since 6

[[noreturn]] void fail(const char* attempt) {
  std::printf("tcplab-agent: cannot confine the kernel's process: %s: %s\n", attempt,
              std::strerror(errno));
  std::fflush(stdout);
  ::_exit(1);
}

void check(const char* attempt, long result) {
  if (result == -1) fail(attempt);
}

constexpr std::uint64_t bit(int capability) { return std::uint64_t{1} << capability; }

std::uint64_t capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  ::syscall(SYS_capget, &header, sets);
  return sets[0].effective | std::uint64_t{sets[1].effective} << 32U;
}

/// Whether it is root of the machine, and may become somebody else. In a user namespace, root is
/// the user of the lab.
bool may_become_nobody() {
  const std::uint64_t needed = bit(CAP_SETUID) | bit(CAP_SETGID) | bit(CAP_SETPCAP);
  unsigned inside = 1;
  unsigned outside = 1;
  std::FILE* map = std::fopen("/proc/self/uid_map", "re");
  if (map == nullptr) return false;
  const int read = std::fscanf(map, "%u %u", &inside, &outside);
  std::fclose(map);
  return read == 2 && inside == 0 && outside == 0 && ::geteuid() == 0 &&
         (capabilities() & needed) == needed;
}

void enter_view(int view) {
  check("enter its mounts", ::setns(view, CLONE_NEWNS));
  check("copy its mounts", ::unshare(CLONE_NEWNS));
  mount_attr locked{};
  locked.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID;
  check("make its mounts read-only",
        ::syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &locked, sizeof locked));
  check("mount a tmpfs", ::mount("tmpfs", kOwnPlace, "tmpfs", MS_NOSUID | MS_NODEV, "mode=700"));
}

/// With a view, nothing but its own folder and disks can be written anyway. Without one, somebody
/// who has become nobody may read.
std::uint64_t kept_capabilities(bool has_view) {
  const std::uint64_t reading = bit(CAP_DAC_READ_SEARCH);
  if (!has_view) return ::geteuid() == kNobody ? reading : 0;
  return reading | bit(CAP_CHOWN) | bit(CAP_DAC_OVERRIDE) | bit(CAP_FOWNER) | bit(CAP_FSETID);
}

void set_capabilities(std::uint64_t kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  sets[0].effective = sets[0].permitted = static_cast<std::uint32_t>(kept);
  sets[1].effective = sets[1].permitted = static_cast<std::uint32_t>(kept >> 32U);
  check("drop capabilities", ::syscall(SYS_capset, &header, sets));
}

/// Keeps root's ids for new files on disks only. To signal and to trace processes, and to change
/// settings, the kernel compares the others.
void become_nobody(bool has_view) {
  // Neither a change of its user nor access(2), which hostfs calls, then clears its capabilities.
  check("keep capabilities", ::prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0));
  check("drop its groups", ::syscall(SYS_setgroups, 0, nullptr));
  check("change its group", ::syscall(SYS_setresgid, kNobody, kNobody, kNobody));
  check("change its user", ::syscall(SYS_setresuid, kNobody, kNobody, kNobody));
  if (has_view) {
    ::setfsgid(0);  // these have no error; without effect, disks cannot be written
    ::setfsuid(0);
  }
  // The change made it undumpable. It reads its own files in /proc.
  check("change its mode", ::prctl(PR_SET_DUMPABLE, 1));
}

/// Returns the rights of Landlock that concern writing: all but execute, read a file, list a
/// folder.
std::uint64_t writing_rights(long version) {
  std::uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                         LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                         LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                         LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                         LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

void restrict_by_landlock(bool has_view) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;  // tcplab doctor says so
  const Ruleset ruleset{writing_rights(version), version >= 4 ? kConnections : 0,
                        version >= 6 ? kScopes : 0};
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const long rules = ::syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
  check("make rules of Landlock", rules);
  if (has_view) {
    const int folder = ::open(kOwnPlace, O_PATH | O_CLOEXEC);
    check("open its folder", folder);
    const landlock_path_beneath_attr beneath{ruleset.files, folder};
    check("add a rule of Landlock",
          ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0));
    ::close(folder);
  }
  check("apply Landlock", ::syscall(SYS_landlock_restrict_self, rules, 0));
  ::close(static_cast<int>(rules));
}

}  // namespace

void confine(int view) {
  const bool has_view = view >= 0;
  if (has_view) {
    enter_view(view);
    ::close(view);
  }
  check("set no_new_privs", ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (may_become_nobody()) become_nobody(has_view);
  set_capabilities(kept_capabilities(has_view) & capabilities());
  restrict_by_landlock(has_view);
  check("refuse calls", filter_calls(has_view));
}

}  // namespace tcplab::uml
