// The version of Go in a program.
#include "capture/runtimes/go_version.hh"

#include "tests/capture/memory/written_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;
using capture::go_version;

namespace {

constexpr Address kGoInformation = 0x1000;
constexpr Address kGoVariable = 0x2000;

std::string version_in(std::string_view version, std::uint8_t flags = 2) {
  tests::WrittenMemory memory;
  memory.put_text(kGoInformation, "\xff Go buildinf:");
  memory.put(kGoInformation + 14, std::uint8_t{8});
  memory.put(kGoInformation + 15, flags);
  memory.put(kGoInformation + 32, static_cast<std::uint8_t>(version.size()));
  memory.put_text(kGoInformation + 33, version);
  return go_version(memory, kGoInformation, 0);
}

}  // namespace

TEST_CASE("the section with the build information has the version") {
  CHECK(version_in("go1.19.8") == "1.19.8");
  CHECK(version_in("go1.24.3 X:nocoverageredesign") == "1.24.3");
  CHECK(version_in("go1.25rc1") == "1.25");
  CHECK(version_in("devel go1.20-1234").empty());
  CHECK(version_in("go1.19.8", 0).empty());  // before 1.18
}

TEST_CASE("without that section, a variable has the version") {
  tests::WrittenMemory memory;
  memory.put(kGoVariable, kGoVariable + 0x100);
  memory.put(kGoVariable + 8, std::uint64_t{8});
  memory.put_text(kGoVariable + 0x100, "go1.18.1");
  CHECK(go_version(memory, 0, kGoVariable) == "1.18.1");
  CHECK(go_version(memory, 0, 0).empty());
}

TEST_CASE("the short version has two numbers") {
  CHECK(capture::short_go_version("1.19.8") == "1.19");
  CHECK(capture::short_go_version("1.25") == "1.25");
  CHECK(capture::short_go_version("").empty());
}
