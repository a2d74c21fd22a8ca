// The seccomp filter, run by a small interpreter of classic BPF: which calls stop a program.
#include "capture/calls/call_filter.hh"

#include <asm/unistd.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <csignal>
#include <cstring>

#include "capture/calls/traced_call.hh"
#include "capture/event/call_names.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Abi;
using capture::IoUring;

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kNative = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kForeign = AUDIT_ARCH_ARM;
#else
constexpr std::uint32_t kNative = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kForeign = AUDIT_ARCH_ARM;
#endif

/// Runs the instructions that the filter uses.
std::uint32_t run(const std::vector<sock_filter>& program, const seccomp_data& data) {
  std::uint32_t accumulator = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& one = program[at];
    switch (one.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        REQUIRE(one.k + sizeof accumulator <= sizeof data);
        std::memcpy(&accumulator, reinterpret_cast<const char*>(&data) + one.k, sizeof accumulator);
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += accumulator == one.k ? one.jt : one.jf;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        at += (accumulator & one.k) != 0 ? one.jt : one.jf;
        break;
      case BPF_JMP | BPF_JA:
        at += one.k;
        break;
      case BPF_RET | BPF_K:
        return one.k;
      default:
        FAIL("an instruction that the filter should not have: " << one.code);
    }
  }
  FAIL("the filter ends without an answer");
  return 0;
}

seccomp_data call(long number, std::array<std::uint64_t, 3> arguments = {}) {
  seccomp_data data{};
  data.nr = static_cast<int>(number);
  data.arch = kNative;
  std::copy(arguments.begin(), arguments.end(), data.args);
  return data;
}

std::uint32_t answer(const seccomp_data& data, IoUring io_uring = IoUring::refused) {
  return run(capture::call_filter(io_uring), data);
}

}  // namespace

TEST_CASE("every traced call stops the program") {
  const auto [abi, arch] = GENERATE(std::pair(Abi::native, kNative),
                                    std::pair(Abi::i386, std::uint32_t{AUDIT_ARCH_I386}));
  for (const capture::TracedCall& traced : capture::traced_calls(abi)) {
    INFO(traced.name);
    if (traced.number < 0) continue;  // it has no number of its own
    seccomp_data data = call(traced.number);
    data.arch = arch;
    if (traced.only.argument >= 0) {
      constexpr std::uint64_t kOther = 4711;
      data.args[traced.only.argument] = kOther;
      CHECK(answer(data) == SECCOMP_RET_ALLOW);
      for (const std::uint32_t value : traced.only.values) {
        data.args[traced.only.argument] = value;
        CHECK(answer(data) == SECCOMP_RET_TRACE);
      }
    } else {
      CHECK(answer(data) == SECCOMP_RET_TRACE);
    }
  }
}

TEST_CASE("other calls do not stop it") {
  CHECK(answer(call(__NR_getppid)) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_openat)) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_futex)) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_socket, {AF_UNIX, SOCK_STREAM})) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_socket, {AF_INET6, SOCK_STREAM})) == SECCOMP_RET_TRACE);
  CHECK(answer(call(__NR_fcntl, {3, F_GETFL})) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_ioctl, {3, FIONREAD})) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_setsockopt, {3, IPPROTO_IPV6})) == SECCOMP_RET_ALLOW);
}

TEST_CASE("io_uring is refused, or allowed with a notice") {
  CHECK(answer(call(__NR_io_uring_setup)) == (SECCOMP_RET_ERRNO | ENOSYS));
  CHECK(answer(call(__NR_io_uring_setup), IoUring::allowed) == SECCOMP_RET_TRACE);
}

TEST_CASE("mmap of a file stops it if that is wanted, and if it may load code") {
  const auto answer_with = [](std::uint64_t protection, std::uint64_t flags,
                              capture::FileMappings mappings = capture::FileMappings::seen) {
    seccomp_data data = call(__NR_mmap, {0, 4096, protection});
    data.args[3] = flags;
    return run(capture::call_filter(IoUring::refused, mappings), data);
  };
  constexpr int kCode = PROT_READ | PROT_EXEC;
  CHECK(answer_with(kCode, MAP_PRIVATE) == SECCOMP_RET_TRACE);
  CHECK(answer_with(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED) == SECCOMP_RET_TRACE);
  CHECK(answer_with(PROT_READ, MAP_PRIVATE) == SECCOMP_RET_ALLOW);
  CHECK(answer_with(kCode, MAP_PRIVATE | MAP_ANONYMOUS) == SECCOMP_RET_ALLOW);
  CHECK(answer_with(PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED) == SECCOMP_RET_ALLOW);
  CHECK(answer_with(kCode, MAP_PRIVATE, capture::FileMappings::unseen) == SECCOMP_RET_ALLOW);
  CHECK(capture::is_mapping(kNative, __NR_mmap));
  CHECK_FALSE(capture::is_mapping(kForeign, __NR_mmap));
  CHECK_FALSE(capture::is_mapping(kNative, __NR_munmap));
}

TEST_CASE("calls that may start an untraced child stop it") {
  CHECK(answer(call(__NR_clone, {CLONE_UNTRACED | SIGCHLD})) == SECCOMP_RET_TRACE);
  CHECK(answer(call(__NR_clone, {CLONE_VM | CLONE_THREAD})) == SECCOMP_RET_ALLOW);
  CHECK(answer(call(__NR_clone3)) == SECCOMP_RET_TRACE);
}

#if defined(__x86_64__)
TEST_CASE("calls of 32-bit code stop a program by their own numbers") {
  const auto answer_32 = [](long number, std::array<std::uint64_t, 3> arguments = {}) {
    seccomp_data data = call(number, arguments);
    data.arch = AUDIT_ARCH_I386;
    return answer(data);
  };
  constexpr long kGetpid = 20;  // writev of x86-64
  constexpr long kSocket = 359;
  constexpr long kClone = 120;
  CHECK(answer_32(kGetpid) == SECCOMP_RET_ALLOW);
  CHECK(answer_32(kSocket, {AF_UNIX, SOCK_STREAM}) == SECCOMP_RET_ALLOW);
  CHECK(answer_32(kSocket, {AF_INET, SOCK_STREAM}) == SECCOMP_RET_TRACE);
  CHECK(answer_32(capture::kSocketCall, {1}) == SECCOMP_RET_TRACE);
  CHECK(answer_32(kClone, {CLONE_UNTRACED}) == SECCOMP_RET_TRACE);
  CHECK(answer_32(kClone, {CLONE_VM}) == SECCOMP_RET_ALLOW);
}

TEST_CASE("socketcall(2) makes the calls of 32-bit code on sockets") {
  using Arguments = std::array<std::uint64_t, 6>;
  const auto name = [](std::uint64_t which, const Arguments& arguments = {}) {
    const capture::TracedCall* found = capture::find_socket_call(which, arguments);
    return found == nullptr ? "" : std::string(found->name);
  };
  CHECK(name(0) == "");
  CHECK(name(1, {AF_UNIX, SOCK_STREAM}) == "");
  CHECK(name(1, {AF_INET6, SOCK_STREAM}) == "socket");
  CHECK(name(5) == "accept");
  CHECK(name(6) == "");  // getsockname
  CHECK(name(10) == "recvfrom");
  CHECK(name(14, {3, SOL_SOCKET}) == "setsockopt");
  CHECK(name(20) == "sendmmsg");
  CHECK(name(21) == "");
}
#endif

TEST_CASE("calls of another architecture do not pass in silence") {
  seccomp_data data = call(__NR_getppid);
  data.arch = kForeign;
  CHECK(answer(data) == SECCOMP_RET_TRACE);
#ifdef __X32_SYSCALL_BIT
  CHECK(answer(call(__NR_getppid | __X32_SYSCALL_BIT)) == SECCOMP_RET_TRACE);
#endif
}

TEST_CASE("every traced call that moves data is in the family of its direction") {
  const Abi abi = GENERATE(Abi::native, Abi::i386);
  for (const capture::TracedCall& traced : capture::traced_calls(abi)) {
    INFO(traced.name);
    if (traced.direction == capture::DataDirection::receive)
      CHECK(capture::is_of_family(traced.name, "recv"));
    if (traced.direction == capture::DataDirection::send)
      CHECK(capture::is_of_family(traced.name, "send"));
  }
}
