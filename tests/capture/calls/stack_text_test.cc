// The copy of a stack arrives as it was made.
#include "capture/calls/stack_text.hh"

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::parse_stack_copy;
using capture::StackCopy;

namespace {

StackCopy sample() {
  StackCopy stack;
  stack.process = 42;
  stack.registers = {0, 7, ~std::uint64_t{0}};
  stack.program_counter = 0x7f0000001000;
  stack.stack_pointer = 0x7ffc00000010;
  stack.memory = {std::byte{0}, std::byte{0x0a}, std::byte{0xff}};
  stack.maps = std::make_shared<const std::string>("00400000-00401000 r-xp /usr/bin/a b\n");
  return stack;
}

}  // namespace

TEST_CASE("a copied stack is read as it was written") {
  const StackCopy stack = sample();
  const std::string line = capture::to_text(stack);
  CHECK(line.find('\n') == std::string::npos);
  const auto read = parse_stack_copy(line);
  REQUIRE(read);
  CHECK(read->process == stack.process);
  CHECK(read->registers == stack.registers);
  CHECK(read->program_counter == stack.program_counter);
  CHECK(read->stack_pointer == stack.stack_pointer);
  CHECK(read->memory == stack.memory);
  CHECK(*read->maps == *stack.maps);
}

TEST_CASE("an event and the end of a thread are no stacks") {
  CHECK_FALSE(parse_stack_copy(R"({"kind":"call"})"));
  CHECK_FALSE(parse_stack_copy("42"));
  CHECK_FALSE(parse_stack_copy(""));
}

TEST_CASE("a damaged stack is refused") {
  const std::string line = capture::to_text(sample());
  CHECK_THROWS_AS(parse_stack_copy(line.substr(0, line.size() - 1)), base::UsageError);
  CHECK_THROWS_AS(parse_stack_copy("stack "), base::UsageError);
  CHECK_THROWS_AS(parse_stack_copy("stack 42 0 0 1 x  "), base::UsageError);
  CHECK_THROWS_AS(parse_stack_copy("stack 42 0 0 0 0g 00"), base::UsageError);
}
