#include "base/file_descriptor.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "tests/catch.hh"

using namespace tcplab::base;

namespace {

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }

}  // namespace

TEST_CASE("the owner closes its descriptor") {
  Pipe pipe = make_pipe();
  const int number = pipe.write_end.get();
  REQUIRE(is_open(number));
  SECTION("by reset") { pipe.write_end.reset(); }
  SECTION("by its destructor") { const FileDescriptor owner = std::move(pipe.write_end); }
  SECTION("by an assignment over it") { pipe.write_end = FileDescriptor(); }
  CHECK_FALSE(is_open(number));
  CHECK_FALSE(pipe.write_end);
}

TEST_CASE("a moved descriptor has one owner") {
  Pipe pipe = make_pipe();
  const int number = pipe.read_end.get();
  FileDescriptor owner = std::move(pipe.read_end);
  CHECK(owner.get() == number);
  CHECK(pipe.read_end.get() == -1);
  CHECK(is_open(number));
}

TEST_CASE("a released descriptor stays open") {
  Pipe pipe = make_pipe();
  const int number = pipe.read_end.release();
  CHECK_FALSE(pipe.read_end);
  CHECK(::close(number) == 0);
}

TEST_CASE("both ends of a pipe are close-on-exec and carry data") {
  const Pipe pipe = make_pipe();
  CHECK((::fcntl(pipe.read_end.get(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK((::fcntl(pipe.write_end.get(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(pipe.write_end.get(), "x", 1) == 1);
  char byte = 0;
  CHECK(::read(pipe.read_end.get(), &byte, 1) == 1);
  CHECK(byte == 'x');
}
