// The operands in the note of a USDT probe: where its arguments are when a thread reaches it. GCC
// writes them as in its assembler (systemtap's wiki, UserSpaceProbeImplementation): "-4@%edi
// 8@-8(%rbp) 8@$5".
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/calls/tracee_memory.hh"
#include "capture/event/probe.hh"

namespace tcplab::capture {

/// A register of a stopped thread, or a part of one.
struct ProbeRegister {
  std::size_t offset = 0;  // in user_regs_struct
  unsigned shift = 0;      // bits below the part: 8 for %ah

  std::uint64_t value(const user_regs_struct& registers) const;
};

enum class OperandKind : std::uint8_t {
  constant,  // $5
  in_register,
  in_memory,  // 16(%rsp,%rax,8)
  unknown,    // a symbol, a floating-point register
};

struct ProbeOperand {
  std::string text;   // "-4@%edi"
  unsigned size = 0;  // bytes; 0: not known
  bool is_signed = false;
  bool is_float = false;
  OperandKind kind = OperandKind::unknown;
  std::int64_t number = 0;              // the constant, or what to add to the address
  std::optional<ProbeRegister> base{};  // or the register itself
  std::optional<ProbeRegister> index{};
  unsigned scale = 1;
};

/// Returns an operand for each argument. One that this machine's tracer does not understand is
/// unknown.
std::vector<ProbeOperand> parse_operands(std::string_view text);

/// "int32", "uint64", "float64"; "?" if the size is not known.
std::string type_name(const ProbeOperand& operand);

/// Returns the argument of a thread that is stopped at the probe, with these registers.
ProbeArgument read_argument(const ProbeOperand& operand, pid_t thread,
                            const user_regs_struct& registers);

/// Returns the text at an address into `argument`, if it is plausible: UTF-8 without control
/// characters (but tabs and line feeds), not empty, ended by a NUL or cut after kLongestText bytes.
void read_text(ProbeArgument& argument, pid_t thread);
inline constexpr std::size_t kLongestText = 1024;

}  // namespace tcplab::capture
