#include "capture/calls/stack_copy.hh"

#include <elf.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include <array>

#include "base/file_descriptor.hh"

namespace tcplab::capture {

namespace {

/// perf(1) copies at most 64 KiB, too (perf-record(1), --call-graph).
constexpr std::size_t kMostMemory = std::size_t{64} << 10;

#if defined(__x86_64__)
/// User-mode Linux has no PTRACE_GETREGSET for these.
bool read_registers(pid_t thread, user_regs_struct& registers) {
  return ::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0;
}

bool runs_32_bit_code(const user_regs_struct& of) {
  constexpr unsigned long long kSegment = 0x23;  // __USER32_CS in arch/x86/include/asm/segment.h
  return of.cs == kSegment;
}

/// In the order of the System V ABI, AMD64 supplement, figure 3.36: DWARF register numbers.
void take_registers(const user_regs_struct& of, StackCopy& stack) {
  stack.registers = {of.rax, of.rdx, of.rcx, of.rbx, of.rsi, of.rdi, of.rbp, of.rsp, of.r8,
                     of.r9,  of.r10, of.r11, of.r12, of.r13, of.r14, of.r15, of.rip};
  stack.program_counter = of.rip;
  stack.stack_pointer = of.rsp;
}
#elif defined(__aarch64__)
bool read_registers(pid_t thread, user_regs_struct& registers) {
  iovec into{&registers, sizeof registers};
  return ::ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &into) == 0;
}

bool runs_32_bit_code(const user_regs_struct&) { return false; }

/// x0 to x30, then sp: DWARF for the Arm 64-bit Architecture, section 4.1.
void take_registers(const user_regs_struct& of, StackCopy& stack) {
  stack.registers.assign(std::begin(of.regs), std::end(of.regs));
  stack.registers.push_back(of.sp);
  stack.program_counter = of.pc;
  stack.stack_pointer = of.sp;
}
#endif

std::string read_maps(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/maps";
  const base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  constexpr std::size_t kPart = std::size_t{32} << 10;
  for (ssize_t size = 1; file && size > 0;) {
    const std::size_t before = text.size();
    text.resize(before + kPart);
    size = ::read(file.get(), text.data() + before, kPart);
    text.resize(before + static_cast<std::size_t>(size > 0 ? size : 0));
  }
  return text;
}

/// Reads as far as the mapping of the stack goes: whole pages, because process_vm_readv(2) may read
/// nothing if a part is not there.
std::vector<std::byte> read_stack(pid_t thread, TraceeAddress from) {
  constexpr TraceeAddress kPage = 4096;
  std::vector<std::byte> memory(kMostMemory);
  std::size_t size = read_tracee(thread, from, memory);
  while (size < kMostMemory) {
    const std::size_t part =
        std::min<std::size_t>(kPage - (from + size) % kPage, kMostMemory - size);
    const std::size_t more =
        read_tracee(thread, from + size, std::span(memory).subspan(size, part));
    if (more == 0) break;
    size += more;
  }
  memory.resize(size);
  return memory;
}

}  // namespace

StackCopy stack_of(const user_regs_struct& registers) {
  StackCopy stack;
  take_registers(registers, stack);
  return stack;
}

std::optional<user_regs_struct> registers_of(pid_t thread) {
  user_regs_struct registers{};
  if (!read_registers(thread, registers)) return std::nullopt;
  return registers;
}

std::optional<StackCopy> StackCopier::copy(pid_t process, pid_t thread) {
  const auto registers = registers_of(thread);
  if (!registers || runs_32_bit_code(*registers)) return std::nullopt;
  StackCopy stack = stack_of(*registers);
  stack.process = process;
  stack.memory = read_stack(thread, stack.stack_pointer);
  std::string maps = read_maps(process);
  std::shared_ptr<const std::string>& known = maps_[process];
  if (!known || *known != maps) known = std::make_shared<const std::string>(std::move(maps));
  stack.maps = known;
  return stack;
}

StackCopy copy_waiting_stack(pid_t process, pid_t thread, TraceeAddress program_counter,
                             TraceeAddress stack_pointer) {
  return {.process = process,
          .registers = {},
          .program_counter = program_counter,
          .stack_pointer = stack_pointer,
          .memory = read_stack(thread, stack_pointer),
          .maps = std::make_shared<const std::string>(read_maps(process))};
}

}  // namespace tcplab::capture
