#include "uml/preload/confinement.hh"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "uml/clock_page.hh"

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

/// Calls that a User-mode Linux does not make, and that would reach the machine.
constexpr int kRefused[] = {
    SYS_socket,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsmount,
    SYS_fsconfig,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_unshare,
    SYS_setns,
    SYS_open_by_handle_at,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_syslog,
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_pidfd_getfd,
    SYS_fanotify_init,
    SYS_process_vm_writev,
    SYS_connect,
    SYS_bind,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_sched_setaffinity,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_process_madvise,
#ifdef SYS_iopl
    SYS_iopl,
    SYS_ioperm,
#endif
};
/// Calls that change files of the machine without writing to them.
constexpr int kFileChanges[] = {
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    452,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,  // 452: fchmodat2
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    463,  // 463: setxattrat
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    466,  // 466: removexattrat
};
constexpr std::uint32_t kSocketKinds = 0xf;           // SOCK_TYPE_MASK (linux/net.h)
constexpr std::uint32_t kNewNamespaces = 0x7e020000;  // all of CLONE_NEW... that clone(2) takes

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

sock_filter statement(std::uint32_t code, std::size_t value) {
  return BPF_STMT(static_cast<std::uint16_t>(code), static_cast<std::uint32_t>(value));
}

/// Skips an instruction if the loaded word is not the value.
sock_filter unless(std::uint32_t value) { return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1); }

sock_filter answer(std::uint32_t verdict) { return statement(BPF_RET | BPF_K, verdict); }

sock_filter load(std::size_t offset) { return statement(BPF_LD | BPF_W | BPF_ABS, offset); }

std::size_t argument_offset(std::size_t argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}

sock_filter fail_with(int error) {
  return answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}

/// Without a view, the mounts are those of the lab: calls that change a file without writing to it,
/// which Landlock allows, would change the machine's.
void filter_calls(bool has_view) {
  constexpr std::size_t kCalls = sizeof kRefused / sizeof kRefused[0];
  constexpr std::size_t kChanges = sizeof kFileChanges / sizeof kFileChanges[0];
  static sock_filter filter[2 * kCalls + 2 * kChanges + 32];
  unsigned short size = 0;
  const auto add = [&](sock_filter instruction) { filter[size++] = instruction; };
  add(load(offsetof(seccomp_data, arch)));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  add(fail_with(ENOSYS));
  add(load(offsetof(seccomp_data, nr)));
#ifdef __X32_SYSCALL_BIT
  add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, __X32_SYSCALL_BIT, 0, 1));
  add(fail_with(ENOSYS));
#endif
  for (const int call : kRefused) {
    add(unless(static_cast<std::uint32_t>(call)));
    add(fail_with(EPERM));
  }
  for (const int call : kFileChanges) {
    if (has_view) break;
    add(unless(static_cast<std::uint32_t>(call)));
    // The kernel changes the mode of its memory's file, and has no other use for it.
    add(fail_with(call == SYS_fchmod ? 0 : EPERM));
  }
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 5));
  add(load(argument_offset(1)));  // a datagram socket could send to any name
  add(statement(BPF_ALU | BPF_AND | BPF_K, kSocketKinds));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 0, 1));
  add(answer(SECCOMP_RET_ALLOW));
  add(fail_with(EPERM));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4));
  add(load(argument_offset(0)));  // only those of its own
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
  add(answer(SECCOMP_RET_ALLOW));
  add(fail_with(EPERM));
  add(unless(SYS_clone3));  // its flags are in memory
  add(fail_with(ENOSYS));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0));
  add(answer(SECCOMP_RET_ALLOW));
  add(load(argument_offset(0)));
  add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNewNamespaces, 0, 1));
  add(fail_with(EPERM));
  add(answer(SECCOMP_RET_ALLOW));
  const sock_fprog program{size, filter};
  check("refuse calls", ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
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
  filter_calls(has_view);
}

}  // namespace tcplab::uml
