// A probe in one line.
#include "reports/text/probe_text.hh"

#include "tests/catch.hh"

using namespace tcplab;
using capture::ProbeArgument;

namespace {

ProbeArgument number(std::int64_t value) {
  return {.value = {.bits = static_cast<std::uint64_t>(value), .is_negative = value < 0}};
}

ProbeArgument text_at(std::uint64_t address, const std::string& text, bool is_cut = false) {
  return {.value = {.bits = address}, .text = text, .is_cut = is_cut};
}

std::string line_of(std::vector<ProbeArgument> arguments) {
  return reports::probe_text(
             {.provider = "app", .name = "begin", .arguments = std::move(arguments)})
      .text();
}

}  // namespace

TEST_CASE("a probe has its name and its arguments") {
  CHECK(line_of({}) == "app:begin()");
  CHECK(line_of({number(-7), number(4294967295), number(4294967296)}) ==
        "app:begin(-7, 4294967295, 0x100000000)");
  CHECK(line_of({{.unread = "8f@%xmm0"}, number(1)}) == "app:begin(?, 1)");
}

TEST_CASE("an arrow leads to the text at an address") {
  CHECK(line_of({text_at(0x9000, "fetch")}) == "app:begin(0x9000 → \"fetch\")");
  CHECK(line_of({text_at(0x9000, "a\nb\x1b")}) == "app:begin(0x9000 → \"a\\nb\\x1b\")");
}

TEST_CASE("two dots mark a text that is longer") {
  CHECK(line_of({text_at(0x9000, "short", true)}) == "app:begin(0x9000 → \"short\"..)");
  CHECK(line_of({text_at(0x9000, std::string(64, 'x'))}) ==
        "app:begin(0x9000 → \"" + std::string(64, 'x') + "\")");
  CHECK(line_of({text_at(0x9000, std::string(65, 'x'))}) ==
        "app:begin(0x9000 → \"" + std::string(64, 'x') + "\"..)");
}
