#include "capture/stacks/frame_prologue.hh"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

namespace {

/// Takes instructions from the front of some code.
class CodeReader {
public:
  explicit CodeReader(std::span<const std::uint8_t> code) : code_(code) {}

  /// Takes these bytes, if they come next.
  bool take(std::initializer_list<std::uint8_t> bytes) {
    if (code_.size() < bytes.size() || !std::equal(bytes.begin(), bytes.end(), code_.begin()))
      return false;
    code_ = code_.subspan(bytes.size());
    return true;
  }

  template <typename Value>
  std::optional<Value> take_value() {
    Value value{};
    if (code_.size() < sizeof value) return std::nullopt;
    std::memcpy(&value, code_.data(), sizeof value);
    code_ = code_.subspan(sizeof value);
    return value;
  }

private:
  std::span<const std::uint8_t> code_;
};

bool take_push(CodeReader& code) {
  return code.take({0x53}) || code.take({0x50}) || code.take({0x51}) || code.take({0x41, 0x54}) ||
         code.take({0x41, 0x55}) || code.take({0x41, 0x56}) || code.take({0x41, 0x57});
}

/// "sub rsp, N", or "add rsp, -128", which is shorter.
std::optional<std::int64_t> take_room(CodeReader& code) {
  if (code.take({0x48, 0x83, 0xec})) return code.take_value<std::int8_t>();
  if (code.take({0x48, 0x81, 0xec})) return code.take_value<std::int32_t>();
  if (!code.take({0x48, 0x83, 0xc4})) return std::nullopt;
  const auto size = code.take_value<std::int8_t>();
  if (!size) return std::nullopt;
  return -*size;
}

/// The size of "call r/m64" (Intel SDM, volume 2, section 2.1.5), without a prefix; 0 if the code
/// is none.
std::size_t indirect_call_size(std::span<const std::uint8_t> code) {
  constexpr std::uint8_t kIndirect = 0xff;
  constexpr unsigned int kCall = 2;      // in the reg field
  constexpr unsigned int kRegister = 3;  // mod: the operand is a register
  constexpr unsigned int kHasSib = 4;    // rm: another byte follows
  constexpr unsigned int kNoBase = 5;    // rm, or base: with mod 0, four bytes follow
  const unsigned int mod = code[1] >> 6U;
  const unsigned int rm = code[1] & 7U;
  if (code[0] != kIndirect || (code[1] >> 3U & 7U) != kCall) return 0;
  const bool has_sib = mod != kRegister && rm == kHasSib;
  const unsigned int base = has_sib && code.size() > 2 ? code[2] & 7U : rm;
  std::size_t size = has_sib ? 3 : 2;
  if (mod == 1) size += 1;
  if (mod == 2 || (mod == 0 && base == kNoBase)) size += 4;
  return size;
}

}  // namespace

std::optional<std::uint64_t> frame_size(std::span<const std::uint8_t> bytes) {
  CodeReader code(bytes);
  code.take({0xf3, 0x0f, 0x1e, 0xfa});  // endbr64
  if (!code.take({0x55})) return std::nullopt;
  if (!code.take({0x48, 0x89, 0xe5}) && !code.take({0x48, 0x8b, 0xec})) return std::nullopt;
  std::int64_t size = 0;
  while (take_push(code)) size += sizeof(std::uint64_t);
  while (const auto room = take_room(code)) {
    size += *room;
    code.take({0x48, 0x83, 0x0c, 0x24, 0x00});  // a probe of the new page: or [rsp], 0
  }
  if (size < 0) return std::nullopt;
  return static_cast<std::uint64_t>(size);
}

bool follows_call(pid_t process, std::uint64_t address) {
  constexpr std::size_t kLongest = 7;
  constexpr std::size_t kRelativeSize = 5;
  constexpr std::uint8_t kRelative = 0xe8;
  if (address < kLongest) return false;
  const auto code = read_values<std::uint8_t>(process, address - kLongest, kLongest);
  if (code.size() < kLongest) return false;
  if (code[kLongest - kRelativeSize] == kRelative) return true;
  for (std::size_t size = 2; size <= kLongest; ++size)
    if (indirect_call_size(std::span(code).last(size)) == size) return true;
  return false;
}

}  // namespace tcplab::capture
