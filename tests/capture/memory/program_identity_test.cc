// Whether a core file and a process that lived are the same program.
#include "capture/memory/program_identity.hh"

#include <elf.h>
#include <unistd.h>

#include <array>

#include "tests/capture/memory/written_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::ProgramIdentity;

namespace {

constexpr capture::Address kRandomAt = 0x7ffc0000;

ProgramIdentity identity_of(std::uint64_t entry, std::string_view random,
                            std::uint64_t after_end = 0) {
  tests::WrittenMemory memory;
  memory.put_text(kRandomAt, random);
  const std::array<std::uint64_t, 8> vector{AT_ENTRY, entry, AT_RANDOM, kRandomAt,
                                            AT_NULL,  0,     AT_ENTRY,  after_end};
  return program_identity(std::as_bytes(std::span(vector)), memory);
}

}  // namespace

TEST_CASE("a program is told by its addresses and by its random bytes") {
  const ProgramIdentity one = identity_of(0x1000, "0123456789abcdef");
  CHECK(one.may_be(identity_of(0x1000, "0123456789abcdef")));
  CHECK_FALSE(one.may_be(identity_of(0x2000, "0123456789abcdef")));
  CHECK_FALSE(one.may_be(identity_of(0x1000, "0123456789abcdeg")));  // addresses not random
  CHECK(one.may_be(identity_of(0x1000, "0123456789abcdef", 7)));
}

TEST_CASE("what is not known of a program does not tell it from another") {
  const ProgramIdentity one = identity_of(0x1000, "0123456789abcdef");
  CHECK(one.may_be(identity_of(0x1000, "012345")));  // a core file without that memory
  CHECK(one.may_be({}));
  CHECK_FALSE(program_identity({}, tests::WrittenMemory()).is_known());
}

TEST_CASE("this process is itself") {
  const ProgramIdentity own = capture::program_identity(::getpid());
  CHECK(own.is_known());
  CHECK(own.random.size() == 16);
  CHECK(own.may_be(capture::program_identity(::getpid())));
}
