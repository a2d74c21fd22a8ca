#include "uml/preload/call_filter.hh"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace tcplab::uml {

namespace {

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
    SYS_truncate,  // Landlock covers it since version 3
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
/// Calls whose second argument, or third, are the flags of open(2).
constexpr struct {
  int call;
  std::size_t flags;
} kOpenings[] = {
#ifdef SYS_open
    {SYS_open, 1},
#endif
    {SYS_openat, 2},
};
/// What the kernel asks of its terminals. Other controls change files that are open for reading:
/// their attributes, or their encryption (ioctl_iflags(2)).
constexpr std::uint32_t kControls[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOASYNC};
constexpr std::uint32_t kSocketKinds = 0xf;           // SOCK_TYPE_MASK (linux/net.h)
constexpr std::uint32_t kNewNamespaces = 0x7e020000;  // all of CLONE_NEW... that clone(2) takes

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

template <typename Type, std::size_t kSize>
constexpr std::size_t count_of(const Type (&/*array*/)[kSize]) {
  return kSize;
}

/// The instructions of a filter (seccomp(2)). Whenever a call has been judged, the loaded word is
/// its number.
class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    skip_if(BPF_JEQ, kArchitecture, 1, 0);
    fail(ENOSYS);
    load(offsetof(seccomp_data, nr));
#ifdef __X32_SYSCALL_BIT
    skip_if(BPF_JSET, __X32_SYSCALL_BIT, 0, 1);
    fail(ENOSYS);
#endif
  }

  void refuse(int call, int error) {
    on(call, 1);
    fail(error);
  }

  /// Allows it only if the argument has none of these bits.
  void refuse_bits(int call, std::size_t argument, std::uint32_t bits) {
    on(call, 4);
    load_argument(argument);
    skip_if(BPF_JSET, bits, 0, 1);
    fail(EPERM);
    allow();
  }

  /// Allows it only if the argument, masked, has this value.
  void allow_value(int call, std::size_t argument, std::uint32_t mask, std::uint32_t value) {
    on(call, 5);
    load_argument(argument);
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    skip_if(BPF_JEQ, value, 0, 1);
    allow();
    fail(EPERM);
  }

  void allow_controls() {
    on(SYS_ioctl, 2 * count_of(kControls) + 2);
    load_argument(1);
    for (const std::uint32_t control : kControls) {
      skip_if(BPF_JEQ, control, 0, 1);
      allow();
    }
    fail(ENOTTY);
  }

  long apply() {
    allow();
    const sock_fprog program{size_, instructions_};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  }

private:
  void add(std::uint32_t code, std::size_t value) {
    instructions_[size_++] =
        BPF_STMT(static_cast<std::uint16_t>(code), static_cast<std::uint32_t>(value));
  }
  /// Skips `yes` instructions if the loaded word passes the test, and `no` if not.
  void skip_if(std::uint32_t test, std::uint32_t value, std::uint8_t yes, std::size_t no) {
    instructions_[size_++] = BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | test), value,
                                      yes, static_cast<std::uint8_t>(no));
  }
  /// The next instructions are only for this call.
  void on(int call, std::size_t instructions) {
    skip_if(BPF_JEQ, static_cast<std::uint32_t>(call), 0, instructions);
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void load_argument(std::size_t argument) {
    load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
  }
  void allow() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  void fail(int error) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }

  static constexpr std::size_t kRoom =
      2 * (count_of(kRefused) + count_of(kFileChanges) + count_of(kControls)) + 48;
  sock_filter instructions_[kRoom] = {};
  unsigned short size_ = 0;
};

void refuse_file_changes(Filter& filter) {
  // The kernel changes the mode of its memory's file, and has no other use for it.
  for (const int call : kFileChanges) filter.refuse(call, call == SYS_fchmod ? 0 : EPERM);
  // To open a file for reading and to empty it, Landlock before version 3 allows.
  for (const auto& opening : kOpenings) filter.refuse_bits(opening.call, opening.flags, O_TRUNC);
}

}  // namespace

long filter_calls(bool has_view) {
  Filter filter;
  for (const int call : kRefused) filter.refuse(call, EPERM);
  if (!has_view) refuse_file_changes(filter);
  filter.allow_controls();
  // The flags of these two are in memory.
  filter.refuse(SYS_openat2, ENOSYS);
  filter.refuse(SYS_clone3, ENOSYS);
  filter.refuse_bits(SYS_clone, 0, kNewNamespaces);
  // A datagram socket could send to any name.
  filter.allow_value(SYS_socketpair, 1, kSocketKinds, SOCK_STREAM);
  // Only the limits of the process itself.
  filter.allow_value(SYS_prlimit64, 0, ~0U, 0);
  return filter.apply();
}

}  // namespace tcplab::uml
