#include "base/pseudoterminal.hh"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "tests/catch.hh"

using namespace tcplab;

namespace {

std::string read_from(int descriptor) {
  std::array<char, 64> text{};
  const ssize_t size = ::read(descriptor, text.data(), text.size());
  return {text.data(), static_cast<std::size_t>(size < 0 ? 0 : size)};
}

void write_to(int descriptor, const std::string& text) {
  REQUIRE(::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("a pseudoterminal echoes what is typed, and passes lines on", "[pseudoterminal]") {
  const base::Pseudoterminal made = base::make_pseudoterminal();
  CHECK(::isatty(made.theirs.get()) == 1);
  write_to(made.ours.get(), "hello\n");
  CHECK(read_from(made.theirs.get()) == "hello\n");
  CHECK(read_from(made.ours.get()) == "hello\r\n");  // its echo
  write_to(made.theirs.get(), "answer\n");
  CHECK(read_from(made.ours.get()) == "answer\r\n");
}

TEST_CASE("a program inherits neither end of a pseudoterminal by itself", "[pseudoterminal]") {
  const base::Pseudoterminal made = base::make_pseudoterminal();
  for (const int end : {made.ours.get(), made.theirs.get()})
    CHECK((::fcntl(end, F_GETFD) & FD_CLOEXEC) != 0);
}

TEST_CASE("reading a pseudoterminal fails once its program is gone", "[pseudoterminal]") {
  base::Pseudoterminal made = base::make_pseudoterminal();
  made.theirs.reset();
  std::array<char, 1> text{};
  CHECK(::read(made.ours.get(), text.data(), text.size()) == -1);
  CHECK(errno == EIO);
}
