// The operands of USDT probes: how they are written, and what they mean for a stopped thread. Here
// the thread is this one.
#include "capture/probes/probe_operand.hh"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "tests/catch.hh"

using namespace tcplab;
using capture::OperandKind;
using capture::parse_operands;

namespace {

capture::ProbeOperand operand_of(const std::string& text) {
  const auto operands = parse_operands(text);
  REQUIRE(operands.size() == 1);
  return operands.front();
}

#if defined(__x86_64__)
/// "-5" or "250"; the operand in brackets if it could not be read.
std::string value_of(const std::string& text, const user_regs_struct& registers) {
  const auto argument = capture::read_argument(operand_of(text), ::getpid(), registers);
  if (!argument.unread.empty()) return "[" + argument.unread + "]";
  const auto number = static_cast<std::int64_t>(argument.value.bits);
  return argument.value.is_negative ? std::to_string(number) : std::to_string(argument.value.bits);
}
#endif

capture::ProbeArgument text_at(const char* address) {
  capture::ProbeArgument argument;
  argument.value.bits = reinterpret_cast<std::uint64_t>(address);
  capture::read_text(argument, ::getpid());
  return argument;
}

}  // namespace

TEST_CASE("each operand of a probe has a size and a sign") {
  const auto operands = parse_operands("-4@%edi 8@$5 1@-8(%rbp) 8f@%xmm0 4@[sp, 12] -2@x");
  REQUIRE(operands.size() == 6);
  std::string types;
  for (const auto& operand : operands) types += capture::type_name(operand) + " ";
  CHECK(types == "int32 uint64 uint8 float64 uint32 int16 ");
  CHECK(operands[4].text == "4@[sp, 12]");
  CHECK(parse_operands("").empty());
  CHECK(parse_operands("  8@$1  ").size() == 1);
}

TEST_CASE("an operand without a known size is not understood") {
  for (const char* text : {"%edi", "3@%edi", "@%edi", "4x@%edi", "16@%rax", "-@$1"}) {
    INFO(text);
    const auto operand = operand_of(text);
    CHECK(operand.kind == OperandKind::unknown);
    CHECK(capture::type_name(operand) == "?");
  }
}

#if defined(__x86_64__)
TEST_CASE("an operand in a register has its lower bytes, with or without a sign") {
  user_regs_struct registers{};
  registers.rax = 0xffff'ffff'ffff'80fb;
  registers.rdi = 0xffff'ffff'8000'0001;
  registers.r10 = 0x1234'5678'9abc'def0;
  CHECK(value_of("1@%al", registers) == "251");
  CHECK(value_of("-1@%al", registers) == "-5");
  CHECK(value_of("1@%ah", registers) == "128");
  CHECK(value_of("-2@%ax", registers) == "-32517");
  CHECK(value_of("-4@%edi", registers) == "-2147483647");
  CHECK(value_of("4@%edi", registers) == "2147483649");
  CHECK(value_of("-8@%rdi", registers) == "-2147483647");
  CHECK(value_of("8@%rdi", registers) == "18446744071562067969");
  CHECK(value_of("1@%r10b", registers) == "240");
  CHECK(value_of("2@%r10w", registers) == "57072");
  CHECK(value_of("4@%r10d", registers) == "2596069104");
  CHECK(value_of("8@%r10", registers) == "1311768467463790320");
  CHECK(value_of("1@%dil", registers) == "1");
}

TEST_CASE("a constant is cut to the size of the argument") {
  const user_regs_struct registers{};
  CHECK(value_of("1@$-56", registers) == "200");
  CHECK(value_of("-4@$-7", registers) == "-7");
  CHECK(value_of("4@$-294967296", registers) == "4000000000");
  CHECK(value_of("8@$18446744073709551615", registers) == "18446744073709551615");
  CHECK(value_of("-4@$0x10", registers) == "16");
}

TEST_CASE("an operand in memory is found from registers") {
  const std::int32_t values[] = {-1, 42, -43};
  user_regs_struct registers{};
  registers.rsp = reinterpret_cast<std::uint64_t>(values);
  registers.rcx = 2;
  CHECK(value_of("-4@(%rsp)", registers) == "-1");
  CHECK(value_of("4@4(%rsp)", registers) == "42");
  CHECK(value_of("-4@0(%rsp,%rcx,4)", registers) == "-43");
  CHECK(value_of("-4@-4(%rsp,%rcx,4)", registers) == "42");
  CHECK(value_of("-1@1(%rsp,%rcx)", registers) == "-1");
}

TEST_CASE("what cannot be read is not guessed") {
  user_regs_struct registers{};
  registers.rax = 16;  // no memory is there
  for (const char* text : {"4@(%rax)", "4@count(%rip)", "4@4(%rip)", "4@%fs:16", "8f@%xmm0",
                           "4@$count", "4@%eiz", "4@%r16", "4@(%rax,%rbx,4", "4@x(%rax)"}) {
    INFO(text);
    CHECK(value_of(text, registers) == "[" + std::string(text) + "]");
  }
}
#endif

TEST_CASE("text is read only where it is plausible") {
  CHECK(text_at("connect").text == "connect");
  CHECK(text_at("gr\xc3\xbc\xc3\x9f\tyou\n").text == "gr\xc3\xbc\xc3\x9f\tyou\n");
  CHECK(text_at("").text.empty());
  CHECK(text_at("a\x01").text.empty());
  CHECK(text_at("\xff").text.empty());
  CHECK(text_at("\xc2\x85").text.empty());  // a control character of ISO 6429
  CHECK(text_at("\x7f").text.empty());
  CHECK(text_at(nullptr).text.empty());
}

TEST_CASE("a long text is cut between characters") {
  std::string text(capture::kLongestText - 1, 'x');
  CHECK(text_at((text + "y").c_str()).text == text + "y");
  CHECK_FALSE(text_at((text + "y").c_str()).is_cut);
  CHECK(text_at((text + "\xc3\xbc").c_str()).text == text);
  CHECK(text_at((text + "\xc3\xbc").c_str()).is_cut);
}

TEST_CASE("a text must end in its mapping, and may cross pages") {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* mapped =
      ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(mapped != MAP_FAILED);
  char* const pages = static_cast<char*>(mapped);
  ::munmap(pages + 2 * page, page);
  std::memcpy(pages + page - 2, "four", 5);
  CHECK(text_at(pages + page - 2).text == "four");
  std::memcpy(pages + 2 * page - 4, "four", 4);
  CHECK(text_at(pages + 2 * page - 4).text.empty());
  ::munmap(pages, 2 * page);
}
