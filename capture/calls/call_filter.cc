#include "capture/calls/call_filter.hh"

#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "capture/calls/traced_call.hh"
#include "capture/calls/untraced_clone.hh"

namespace tcplab::capture {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the tracer knows x86-64 and arm64"
#endif

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kStop = SECCOMP_RET_TRACE;

/// Writes the program. Every block of instructions ends in a return, so jumps are short: BPF counts
/// them in 8 bits.
class FilterWriter {
public:
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void answer(std::uint32_t verdict) { add(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  /// Skips `count` instructions unless the loaded word is `value`.
  void unless(std::uint32_t value, std::size_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<std::uint8_t>(count)));
  }
  /// Skips `count` instructions if the loaded word is `value`.
  void when(std::uint32_t value, std::size_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, static_cast<std::uint8_t>(count), 0));
  }
  /// Skips `count` instructions unless the loaded word has any of these bits.
  void unless_bits(std::uint32_t bits, std::size_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, static_cast<std::uint8_t>(count)));
  }
  /// Skips `count` instructions.
  void jump(std::size_t count) {
    add(BPF_STMT(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(count)));
  }
  void append(const std::vector<sock_filter>& part) {
    program_.insert(program_.end(), part.begin(), part.end());
  }
  std::vector<sock_filter> take() { return std::move(program_); }

private:
  void add(sock_filter instruction) { program_.push_back(instruction); }

  std::vector<sock_filter> program_;
};

/// The lower half of an argument: both architectures are little-endian.
std::size_t argument_offset(int argument) {
  return offsetof(seccomp_data, args) + static_cast<std::size_t>(argument) * sizeof(std::uint64_t);
}

void add_call(FilterWriter& filter, const TracedCall& call) {
  const auto number = static_cast<std::uint32_t>(call.number);
  if (call.only.argument < 0) {
    filter.unless(number, 1);
    filter.answer(kStop);
    return;
  }
  const std::size_t values = call.only.values.size();
  filter.unless(number, values + 3);
  filter.load(argument_offset(call.only.argument));
  for (std::size_t i = 0; i < values; ++i) filter.when(call.only.values[i], values - i);
  filter.answer(kAllow);
  filter.answer(kStop);
}

/// The flags of clone3(2) are in the program's memory, which a filter cannot read.
void add_untraced_clones(FilterWriter& filter, const CloneNumbers& numbers) {
  filter.unless(numbers.clone3, 1);
  filter.answer(kStop);
  filter.unless(numbers.clone, 4);
  filter.load(argument_offset(0));
  filter.unless_bits(CLONE_UNTRACED, 1);
  filter.answer(kStop);
  filter.answer(kAllow);
}

/// The loader maps a library's first segment where the kernel likes, and the others at fixed
/// addresses in that range.
void add_file_mappings(FilterWriter& filter) {
  constexpr int kProtection = 2;
  constexpr int kFlags = 3;
  filter.unless(__NR_mmap, 9);
  filter.load(argument_offset(kFlags));
  filter.unless_bits(MAP_ANONYMOUS, 1);
  filter.answer(kAllow);
  filter.unless_bits(MAP_FIXED | MAP_FIXED_NOREPLACE, 1);
  filter.answer(kStop);
  filter.load(argument_offset(kProtection));
  filter.unless_bits(PROT_EXEC, 1);
  filter.answer(kStop);
  filter.answer(kAllow);
}

/// The calls of one ABI.
std::vector<sock_filter> part_of(Abi abi, IoUring io_uring, FileMappings mappings) {
  FilterWriter filter;
  filter.load(offsetof(seccomp_data, nr));
#ifdef __X32_SYSCALL_BIT
  if (abi == Abi::native) {
    filter.unless_bits(__X32_SYSCALL_BIT, 1);
    filter.answer(kStop);
  }
#endif
  if (abi == Abi::i386) {
    filter.unless(kSocketCall, 1);
    filter.answer(kStop);
  }
  for (const TracedCall& call : traced_calls(abi))
    if (call.number >= 0) add_call(filter, call);
  filter.unless(__NR_io_uring_setup, 1);  // has one number in all ABIs
  filter.answer(io_uring == IoUring::allowed ? kStop : SECCOMP_RET_ERRNO | ENOSYS);
  if (abi == Abi::native && mappings == FileMappings::seen) add_file_mappings(filter);
  add_untraced_clones(filter, clone_numbers(abi));
  filter.answer(kAllow);
  return filter.take();
}

}  // namespace

std::vector<sock_filter> call_filter(IoUring io_uring, FileMappings mappings) {
  FilterWriter filter;
  filter.load(offsetof(seccomp_data, arch));
  const std::vector<sock_filter> native = part_of(Abi::native, io_uring, mappings);
  filter.when(kArchitecture, 1);
  filter.jump(native.size());
  filter.append(native);
#if defined(__x86_64__)
  filter.when(AUDIT_ARCH_I386, 1);
  filter.answer(kStop);
  filter.append(part_of(Abi::i386, io_uring, mappings));
#else
  filter.answer(kStop);
#endif
  return filter.take();
}

bool is_mapping(std::uint32_t arch, std::uint64_t number) {
  return arch == kArchitecture && number == __NR_mmap;
}

bool is_foreign_call(std::uint32_t arch, [[maybe_unused]] std::uint64_t number) {
#ifdef __X32_SYSCALL_BIT
  if ((number & __X32_SYSCALL_BIT) != 0) return true;
#endif
  return arch != kArchitecture && abi_of(arch) == Abi::native;
}

bool install_call_filter(const std::vector<sock_filter>& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter*>(filter.data())};
  const auto install = [&] {
    return ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
  };
  if (install()) return true;
  return errno == EACCES && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install();
}

}  // namespace tcplab::capture
