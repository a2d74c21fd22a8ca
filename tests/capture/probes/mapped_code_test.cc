// Which code of a file a mapping has. The program headers are those that linkers write.
#include "capture/probes/mapped_code.hh"

#include "tests/catch.hh"

using namespace tcplab;
using capture::mapped_code;

namespace {

constexpr capture::Address kBias = 0x550000000000;

capture::Mapping code_mapping(capture::Address start, std::uint64_t size, std::uint64_t offset) {
  return {.start = kBias + start,
          .end = kBias + start + size,
          .offset = offset,
          .is_executable = true,
          .path = "/program"};
}

/// lld: the end of the read-only part and the begin of the code share the page at 0x1000.
capture::ProbeFile linked_with_lld() {
  return {.is_native = true,
          .parts = {{.address = 0, .offset = 0, .size = 0x19f4},
                    {.address = 0x2a00, .offset = 0x1a00, .size = 0xbce0, .is_executable = true},
                    {.address = 0xf6e0, .offset = 0xd6e0, .size = 0x1d8}}};
}

}  // namespace

TEST_CASE("code that shares a page with a read-only part is where its own part says") {
  const capture::ProbeFile file = linked_with_lld();
  const capture::Mapping mapping = code_mapping(0x2000, 0xd000, 0x1000);
  const auto code = mapped_code(mapping, file);
  REQUIRE(code);
  CHECK(code->bias() == kBias);
  CHECK(code->has(0x2a00));
  CHECK(code->has(0x2aea));
  CHECK(code->has(0xe6df));
  CHECK_FALSE(code->has(0xe6e0));  // what follows in the file is mapped, too
  CHECK_FALSE(code->has(0x29ff));
  CHECK_FALSE(code->has(0x1000));
}

TEST_CASE("a mapping of what is no code has no code") {
  const capture::ProbeFile file = linked_with_lld();
  const capture::Mapping before = code_mapping(0, 0x1000, 0);
  const capture::Mapping data = code_mapping(0x10000, 0x1000, 0xe000);
  CHECK_FALSE(mapped_code(before, file));
  CHECK_FALSE(mapped_code(data, file));
}

TEST_CASE("the rest of a mapping that was split has the rest of the code") {
  const capture::ProbeFile file = linked_with_lld();
  const capture::Mapping mapping = code_mapping(0x5000, 0x1000, 0x4000);
  const auto code = mapped_code(mapping, file);
  REQUIRE(code);
  CHECK(code->bias() == kBias);
  CHECK(code->has(0x5000));
  CHECK_FALSE(code->has(0x4fff));
  CHECK_FALSE(code->has(0x6000));
}

TEST_CASE("of two parts with code that share a page, the mapping that begins there is the second") {
  const capture::ProbeFile file{
      .parts = {{.address = 0x1000, .offset = 0x1000, .size = 0x1800, .is_executable = true},
                {.address = 0x5800, .offset = 0x2800, .size = 0x1000, .is_executable = true}}};
  const capture::Mapping first = code_mapping(0x1000, 0x2000, 0x1000);
  const capture::Mapping second = code_mapping(0x5000, 0x2000, 0x2000);
  REQUIRE(mapped_code(first, file));
  CHECK(mapped_code(first, file)->bias() == kBias);
  CHECK(mapped_code(first, file)->has(0x27ff));
  CHECK_FALSE(mapped_code(first, file)->has(0x5800));
  REQUIRE(mapped_code(second, file));
  CHECK(mapped_code(second, file)->bias() == kBias);
  CHECK(mapped_code(second, file)->has(0x5800));
  CHECK_FALSE(mapped_code(second, file)->has(0x27ff));
}

TEST_CASE("two parts with code that begin in the same page are not told apart") {
  const capture::ProbeFile file{
      .parts = {{.address = 0x1100, .offset = 0x1100, .size = 0x100, .is_executable = true},
                {.address = 0x3200, .offset = 0x1200, .size = 0x100, .is_executable = true}}};
  const capture::Mapping mapping = code_mapping(0x3000, 0x1000, 0x1000);
  CHECK_FALSE(mapped_code(mapping, file));
}

TEST_CASE("neighbours that the kernel maps as one have their code in it") {
  const capture::ProbeFile file{
      .parts = {{.address = 0x1000, .offset = 0x1000, .size = 0x1000, .is_executable = true},
                {.address = 0x2000, .offset = 0x2000, .size = 0x800, .is_executable = true}}};
  const capture::Mapping mapping = code_mapping(0x1000, 0x2000, 0x1000);
  REQUIRE(mapped_code(mapping, file));
  CHECK(mapped_code(mapping, file)->has(0x1fff));
  CHECK(mapped_code(mapping, file)->has(0x27ff));
  CHECK_FALSE(mapped_code(mapping, file)->has(0x2800));
}
