#include "netns/view/refused_calls.hh"

#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hh"

namespace tcplab::netns {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the list of refused calls knows x86-64 and arm64"
#endif

constexpr std::uint32_t kNewCgroupNamespace = 0x02000000;  // CLONE_NEWCGROUP
constexpr std::uint32_t kInit = 1;                         // its pid on a host

/// A condition about an argument: it has any of these bits, or is equal to the value. The kernel
/// reads all of these arguments as 32 bits.
struct ArgumentCheck {
  enum class Kind : std::uint8_t { always, bits, equal } kind = Kind::always;
  int argument = 0;
  std::uint32_t value = 0;
};

/// A call that fails with this error, if the condition is met.
struct RefusedCall {
  int number;
  int i386;  // its number in 32-bit code on x86-64 (arch/x86/entry/syscalls/syscall_32.tbl)
  int error;
  ArgumentCheck condition = {};
};

constexpr ArgumentCheck equal(int argument, std::uint32_t value) {
  return {ArgumentCheck::Kind::equal, argument, value};
}

/// Those of every program. Where a kernel can lack a call, programs are prepared for ENOSYS.
constexpr std::array kRefused = {
    // Keys belong to a user of the machine, whose sessions share them (keyrings(7)).
    RefusedCall{__NR_add_key, 286, ENOSYS},
    RefusedCall{__NR_request_key, 287, ENOSYS},
    RefusedCall{__NR_keyctl, 288, ENOSYS},
    // Operations of io_uring(7) pass by every filter, and by the tracer.
    RefusedCall{__NR_io_uring_setup, 425, ENOSYS},
    RefusedCall{__NR_io_uring_enter, 426, ENOSYS},
    RefusedCall{__NR_io_uring_register, 427, ENOSYS},
    // These look into the kernel, and no program under test needs them.
    RefusedCall{__NR_bpf, 357, EPERM},
    RefusedCall{__NR_perf_event_open, 336, EPERM},
    RefusedCall{__NR_userfaultfd, 374, EPERM},
    RefusedCall{__NR_syslog, 103, EPERM},
    // The flags of clone3(2) are in memory, where a filter cannot look. glibc then uses clone(2).
    RefusedCall{__NR_clone3, 435, ENOSYS},
    // The init has the user of the lab, so that root could change its limits and its scheduling.
    RefusedCall{__NR_prlimit64, 340, EPERM, equal(0, kInit)},
    RefusedCall{__NR_sched_setparam, 154, EPERM, equal(0, kInit)},
    RefusedCall{__NR_sched_setscheduler, 156, EPERM, equal(0, kInit)},
    RefusedCall{__NR_sched_setaffinity, 241, EPERM, equal(0, kInit)},
    RefusedCall{__NR_sched_setattr, 351, EPERM, equal(0, kInit)},
    RefusedCall{__NR_setpriority, 97, EPERM, equal(1, kInit)},
    RefusedCall{__NR_ioprio_set, 289, EPERM, equal(1, kInit)},
};

// Families of sockets that belong to the network namespace of the host, and protocols of netlink(7)
// that do. AF_VSOCK, for example, reaches the hypervisor from every namespace, and NETLINK_AUDIT
// the log of the machine.
constexpr std::array<std::uint32_t, 5> kFamilies = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK,
                                                    AF_PACKET};
constexpr std::array<std::uint32_t, 5> kNetlinkProtocols = {
    NETLINK_ROUTE, NETLINK_SOCK_DIAG, NETLINK_XFRM, NETLINK_NETFILTER, NETLINK_GENERIC};

using Instructions = std::vector<sock_filter>;

/// Writes instructions. All that follows a jump ends in a verdict, so jumps are short.
class RefusalWriter {
public:
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void load_argument(int argument) {  // its lower half: both architectures are little-endian
    load(offsetof(seccomp_data, args) + static_cast<std::size_t>(argument) * sizeof(std::uint64_t));
  }
  void fail(int error) {
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)));
  }
  void allow() { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }
  void skip_unless(std::uint32_t value, std::size_t count) { jump(BPF_JEQ, value, 0, count); }
  void skip_if(std::uint32_t value, std::size_t count) { jump(BPF_JEQ, value, count, 0); }
  void skip_from(std::uint32_t value, std::size_t count) { jump(BPF_JGE, value, count, 0); }
  void skip_if_bits(std::uint32_t bits, std::size_t count) { jump(BPF_JSET, bits, count, 0); }
  void skip_unless_bits(std::uint32_t bits, std::size_t count) { jump(BPF_JSET, bits, 0, count); }
  void append(const Instructions& part) {
    program_.insert(program_.end(), part.begin(), part.end());
  }
  Instructions take() { return std::move(program_); }

private:
  void add(sock_filter instruction) { program_.push_back(instruction); }
  void jump(int kind, std::uint32_t value, std::size_t if_true, std::size_t if_false) {
    constexpr std::size_t kFarthest = 255;
    if (std::max(if_true, if_false) > kFarthest)
      throw base::LabError("the filter of refused calls has a jump that is too long");
    add(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | kind), value,
                 static_cast<std::uint8_t>(if_true), static_cast<std::uint8_t>(if_false)));
  }

  Instructions program_;
};

/// What to do at one call; it ends in a verdict.
struct CallCheck {
  std::uint32_t number;
  Instructions check;
};

Instructions check_of(const RefusedCall& call) {
  RefusalWriter check;
  const ArgumentCheck& condition = call.condition;
  if (condition.kind != ArgumentCheck::Kind::always) {
    check.load_argument(condition.argument);
    if (condition.kind == ArgumentCheck::Kind::equal)
      check.skip_if(condition.value, 1);
    else
      check.skip_if_bits(condition.value, 1);
    check.allow();
  }
  check.fail(call.error);
  return check.take();
}

/// Goes on after these instructions if the loaded word is one of the values.
void require_one_of(RefusalWriter& check, std::span<const std::uint32_t> values, int error) {
  for (std::size_t i = 0; i < values.size(); ++i) check.skip_if(values[i], values.size() - i);
  check.fail(error);
}

Instructions check_of_sockets() {
  RefusalWriter check;
  check.load_argument(0);
  require_one_of(check, kFamilies, EAFNOSUPPORT);
  check.skip_if(AF_NETLINK, 1);
  check.allow();
  check.load_argument(2);
  require_one_of(check, kNetlinkProtocols, EPROTONOSUPPORT);
  check.allow();
  return check.take();
}
/// Finds the check of the loaded number by halving the list, which is sorted. The kernel tries the
/// filter with every number when it is installed (seccomp_cache_prepare()), so its length counts.
Instructions find_check(std::span<const CallCheck> checks) {
  constexpr std::size_t kFew = 2;
  RefusalWriter filter;
  if (checks.size() > kFew) {
    const std::size_t half = checks.size() / 2;
    const Instructions lower = find_check(checks.first(half));
    filter.skip_from(checks[half].number, lower.size());
    filter.append(lower);
    filter.append(find_check(checks.subspan(half)));
    return filter.take();
  }
  for (const CallCheck& each : checks) {
    filter.skip_unless(each.number, each.check.size());
    filter.append(each.check);
  }
  filter.allow();
  return filter.take();
}

Instructions check_calls(std::vector<CallCheck> checks) {
  std::ranges::sort(checks, {}, &CallCheck::number);
  return find_check(checks);
}

std::vector<RefusedCall> calls_to_refuse(bool may_make_user_namespaces) {
  const std::uint32_t kinds =
      kNewCgroupNamespace | (may_make_user_namespaces ? 0U : std::uint32_t{CLONE_NEWUSER});
  const ArgumentCheck namespaces{ArgumentCheck::Kind::bits, 0, kinds};
  std::vector<RefusedCall> calls(kRefused.begin(), kRefused.end());
  calls.push_back({__NR_clone, 120, EPERM, namespaces});
  calls.push_back({__NR_unshare, 310, EPERM, namespaces});
  return calls;
}

Instructions check_native(const std::vector<RefusedCall>& calls) {
  std::vector<CallCheck> checks{{__NR_socket, check_of_sockets()},
                                {__NR_socketpair, check_of_sockets()}};
  for (const RefusedCall& call : calls)
    checks.push_back({static_cast<std::uint32_t>(call.number), check_of(call)});
  RefusalWriter filter;
#ifdef __X32_SYSCALL_BIT
  filter.skip_unless_bits(__X32_SYSCALL_BIT, 1);
  filter.fail(ENOSYS);
#endif
  filter.append(check_calls(std::move(checks)));
  return filter.take();
}

#if defined(__x86_64__)
/// 32-bit code has numbers of its own. It may also create sockets by socketcall(2), whose arguments
/// are in memory: that fails.
Instructions check_32_bits(const std::vector<RefusedCall>& calls) {
  constexpr std::uint32_t kSocket = 359;
  constexpr std::uint32_t kSocketpair = 360;
  constexpr std::uint32_t kSocketcall = 102;
  constexpr std::uint32_t kCreate = 1;  // SYS_SOCKET (linux/net.h)
  std::vector<CallCheck> checks{
      {kSocket, check_of_sockets()},
      {kSocketpair, check_of_sockets()},
      {kSocketcall,
       check_of({.number = 0, .i386 = 0, .error = EPERM, .condition = equal(0, kCreate)})}};
  for (const RefusedCall& call : calls)
    checks.push_back({static_cast<std::uint32_t>(call.i386), check_of(call)});
  return check_calls(std::move(checks));
}
#endif

/// Appends the checks of one architecture; the loaded word is the architecture before and after.
void check_architecture(RefusalWriter& filter, std::uint32_t architecture,
                        const Instructions& checks) {
  filter.skip_unless(architecture, checks.size() + 1);
  filter.load(offsetof(seccomp_data, nr));
  filter.append(checks);
}

Instructions make_filter(bool may_make_user_namespaces) {
  const std::vector<RefusedCall> calls = calls_to_refuse(may_make_user_namespaces);
  RefusalWriter filter;
  filter.load(offsetof(seccomp_data, arch));
  check_architecture(filter, kArchitecture, check_native(calls));
#if defined(__x86_64__)
  check_architecture(filter, AUDIT_ARCH_I386, check_32_bits(calls));
#endif
  filter.fail(ENOSYS);
  return filter.take();
}

}  // namespace

void refuse_calls(bool may_make_user_namespaces) {
  Instructions filter = make_filter(may_make_user_namespaces);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  const auto install = [&] {
    return ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  };
  long result = install();
  if (result == -1 && errno == EACCES && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    result = install();
  base::check("refuse calls of a program (seccomp)", result);
}

}  // namespace tcplab::netns
