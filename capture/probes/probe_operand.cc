#include "capture/probes/probe_operand.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <span>

#include "base/utf8.hh"

namespace tcplab::capture {

namespace {

struct RegisterName {
  std::string_view name;  // of its lower 16 bits
  std::size_t offset;
};

#if defined(__x86_64__)
constexpr auto kRegisters = std::to_array<RegisterName>({{"ax", offsetof(user_regs_struct, rax)},
                                                         {"bx", offsetof(user_regs_struct, rbx)},
                                                         {"cx", offsetof(user_regs_struct, rcx)},
                                                         {"dx", offsetof(user_regs_struct, rdx)},
                                                         {"si", offsetof(user_regs_struct, rsi)},
                                                         {"di", offsetof(user_regs_struct, rdi)},
                                                         {"bp", offsetof(user_regs_struct, rbp)},
                                                         {"sp", offsetof(user_regs_struct, rsp)},
                                                         {"8", offsetof(user_regs_struct, r8)},
                                                         {"9", offsetof(user_regs_struct, r9)},
                                                         {"10", offsetof(user_regs_struct, r10)},
                                                         {"11", offsetof(user_regs_struct, r11)},
                                                         {"12", offsetof(user_regs_struct, r12)},
                                                         {"13", offsetof(user_regs_struct, r13)},
                                                         {"14", offsetof(user_regs_struct, r14)},
                                                         {"15", offsetof(user_regs_struct, r15)}});
#else
constexpr std::array<RegisterName, 0> kRegisters{};
#endif

/// "rax", "eax", "ax", "al" and "ah" become "ax"; "r10", "r10d", "r10w" and "r10b" become "10".
std::string whole_register(std::string_view name) {
  const bool is_numbered = name.size() >= 2 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9';
  if (is_numbered) return std::string(name.substr(1, name.find_last_of("0123456789")));
  constexpr std::size_t kLetters = 2;
  if (name.size() == kLetters && (name[1] == 'l' || name[1] == 'h'))
    return std::string{name[0], 'x'};
  if (name.size() > kLetters && name.ends_with('l')) return std::string(name.substr(0, kLetters));
  if (name.size() > kLetters && (name[0] == 'r' || name[0] == 'e'))
    return std::string(name.substr(1));
  return std::string(name);
}

/// "%r10d": its size is that of the argument.
std::optional<ProbeRegister> register_of(std::string_view text) {
  if (!text.starts_with('%')) return std::nullopt;
  text.remove_prefix(1);
  const auto found = std::ranges::find(kRegisters, whole_register(text), &RegisterName::name);
  if (found == kRegisters.end()) return std::nullopt;
  constexpr unsigned kByte = 8;
  const bool is_second_byte = text.size() == 2 && text[1] == 'h';
  return ProbeRegister{.offset = found->offset, .shift = is_second_byte ? kByte : 0};
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  Number number{};
  const auto end =
      std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A constant of 64 bits may have a sign, or not.
std::optional<std::int64_t> constant(std::string_view text) {
  if (const auto number = whole_number<std::int64_t>(text)) return number;
  const auto number = whole_number<std::uint64_t>(text);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// "-8(%rbp)", "(%rax,%rbx,4)"
bool parse_memory(std::string_view text, ProbeOperand& into) {
  const auto open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return false;
  const auto displacement =
      open == 0 ? std::optional<std::int64_t>(0) : whole_number<std::int64_t>(text.substr(0, open));
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::string_view base = inside.substr(0, inside.find(','));
  if (!displacement) return false;
  into.number = *displacement;
  into.base = register_of(base);
  if (!base.empty() && !into.base) return false;
  if (base.size() == inside.size()) return into.base.has_value();
  inside.remove_prefix(base.size() + 1);
  const std::string_view index = inside.substr(0, inside.find(','));
  into.index = register_of(index);
  if (!into.index) return false;
  if (index.size() == inside.size()) return true;
  const auto scale = whole_number<unsigned>(inside.substr(index.size() + 1));
  into.scale = scale.value_or(1);
  return scale.has_value();
}

OperandKind parse_place(std::string_view text, ProbeOperand& into) {
  if (text.starts_with('$')) {
    const auto number = constant(text.substr(1));
    into.number = number.value_or(0);
    return number ? OperandKind::constant : OperandKind::unknown;
  }
  if (text.starts_with('%')) {
    into.base = register_of(text);
    return into.base ? OperandKind::in_register : OperandKind::unknown;
  }
  return parse_memory(text, into) ? OperandKind::in_memory : OperandKind::unknown;
}

/// "-4@%edi", "8f@%xmm0", "%edi"
ProbeOperand parse_operand(std::string_view text) {
  ProbeOperand operand{.text = std::string(text)};
  const auto at = text.find('@');
  std::string_view size = text.substr(0, at == std::string_view::npos ? 0 : at);
  operand.is_signed = size.starts_with('-');
  if (operand.is_signed) size.remove_prefix(1);
  operand.is_float = size.ends_with('f');
  if (operand.is_float) size.remove_suffix(1);
  const unsigned bytes = whole_number<unsigned>(size).value_or(0);
  const bool is_known = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (!is_known) return operand;
  operand.size = bytes;
  if (!operand.is_float) operand.kind = parse_place(text.substr(at + 1), operand);
  return operand;
}

/// The lowest bytes of a word.
WideNumber narrow(std::uint64_t bits, const ProbeOperand& operand) {
  constexpr unsigned kBits = 8;
  const std::size_t unused = kBits * (sizeof bits - operand.size);
  bits <<= unused;
  if (!operand.is_signed) return {.bits = bits >> unused};
  const auto number = static_cast<std::int64_t>(bits) >> unused;
  return {.bits = static_cast<std::uint64_t>(number), .is_negative = number < 0};
}

std::optional<std::uint64_t> word_of(const ProbeOperand& operand, pid_t thread,
                                     const user_regs_struct& registers) {
  if (operand.kind == OperandKind::constant) return static_cast<std::uint64_t>(operand.number);
  if (operand.kind == OperandKind::in_register) return operand.base->value(registers);
  if (operand.kind == OperandKind::unknown) return std::nullopt;
  auto address = static_cast<std::uint64_t>(operand.number);
  if (operand.base) address += operand.base->value(registers);
  if (operand.index) address += operand.index->value(registers) * operand.scale;
  std::uint64_t word = 0;
  const auto bytes = std::as_writable_bytes(std::span(&word, 1)).first(operand.size);
  if (read_tracee(thread, address, bytes) != bytes.size()) return std::nullopt;
  return word;
}

bool is_text(std::string_view text) {
  while (!text.empty()) {
    const base::CodePoint point = base::decode_utf8(text);
    constexpr char32_t kDelete = 0x7f;
    constexpr char32_t kLastControl = 0x9f;
    const char32_t code = point.code;
    const bool is_control =
        (code < ' ' && code != '\t' && code != '\n') || (code >= kDelete && code <= kLastControl);
    if (!point.valid || is_control) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

/// Reads page by page: process_vm_readv(2) may read nothing if a part is not there.
std::string bytes_at(pid_t thread, TraceeAddress address, std::size_t most) {
  constexpr TraceeAddress kPage = 4096;
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const std::size_t part = std::min<std::size_t>(kPage - (address + size) % kPage, most - size);
    const std::size_t more = read_tracee(
        thread, address + size, std::as_writable_bytes(std::span(bytes)).subspan(size, part));
    size += more;
    if (more < part || std::string_view(bytes).substr(0, size).find('\0') != std::string::npos)
      break;
  }
  bytes.resize(size);
  return bytes;
}

/// Removes a character at the end that is not complete.
void trim_character(std::string& text) {
  std::size_t start = text.size();
  while (start > 0 && base::continues_utf8(text[start - 1])) --start;
  if (start > 0 && start - 1 + base::utf8_length(text[start - 1]) > text.size())
    text.resize(start - 1);
}

}  // namespace

std::uint64_t ProbeRegister::value(const user_regs_struct& registers) const {
  std::uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&registers) + offset, sizeof word);
  return word >> shift;
}

/// A blank separates operands, but an operand of arm64 has blanks, too: "4@[sp, 12]".
std::vector<ProbeOperand> parse_operands(std::string_view text) {
  std::vector<ProbeOperand> operands;
  while (!text.empty()) {
    std::size_t end = text.find(' ');
    while (end != std::string_view::npos && text.substr(0, end).ends_with(','))
      end = text.find(' ', end + 1);
    const std::string_view one = text.substr(0, end);
    if (!one.empty()) operands.push_back(parse_operand(one));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return operands;
}

std::string type_name(const ProbeOperand& operand) {
  if (operand.size == 0) return "?";
  constexpr unsigned kBits = 8;
  const std::string_view kind = operand.is_float ? "float" : operand.is_signed ? "int" : "uint";
  return fmt::format("{}{}", kind, operand.size * kBits);
}

ProbeArgument read_argument(const ProbeOperand& operand, pid_t thread,
                            const user_regs_struct& registers) {
  ProbeArgument argument;
  const auto word = word_of(operand, thread, registers);
  if (!word) {
    argument.unread = operand.text;
    return argument;
  }
  argument.value = narrow(*word, operand);
  if (operand.size == sizeof *word) read_text(argument, thread);
  return argument;
}

void read_text(ProbeArgument& argument, pid_t thread) {
  constexpr TraceeAddress kFirst = 4096;  // no program has anything below (vm.mmap_min_addr)
  if (argument.value.bits < kFirst) return;
  std::string text = bytes_at(thread, argument.value.bits, kLongestText + 1);
  const auto end = text.find('\0');
  if (end == std::string::npos && text.size() <= kLongestText) return;  // the mapping ends
  argument.is_cut = end == std::string::npos;
  text.resize(argument.is_cut ? kLongestText : end);
  if (argument.is_cut) trim_character(text);
  if (is_text(text)) argument.text = std::move(text);
  if (argument.text.empty()) argument.is_cut = false;
}

}  // namespace tcplab::capture
