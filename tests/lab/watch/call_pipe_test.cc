// The pipe from the watcher to the run: it must never block, and never lose the order of lines.
#include "lab/watch/call_pipe.hh"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using lab::CallPipe;

namespace {

struct Ends {
  base::FileDescriptor reader;
  CallPipe pipe;
};

Ends make_ends() {
  base::Pipe made = base::make_pipe();
  base::check("make a pipe non-blocking", ::fcntl(made.write_end.get(), F_SETFL, O_NONBLOCK));
  return {std::move(made.read_end), CallPipe(std::move(made.write_end))};
}

/// Reads what is in the pipe, at most `most` bytes.
std::string take(const base::FileDescriptor& reader, std::size_t most) {
  std::string text(most, '\0');
  const ssize_t size = ::read(reader.get(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

}  // namespace

TEST_CASE("a pipe writes everything while its reader keeps up") {
  Ends ends = make_ends();
  ends.pipe.text() += "one\n";
  CHECK(ends.pipe.flush());
  ends.pipe.text() += "two\n";
  CHECK(ends.pipe.flush());
  CHECK(ends.pipe.text().empty());
  CHECK(take(ends.reader, 100) == "one\ntwo\n");
}

TEST_CASE("a full pipe keeps the rest, and delivers it in order") {
  Ends ends = make_ends();
  std::string all;
  for (int line = 0; all.size() < 300'000; ++line) all += std::to_string(line) + "\n";
  ends.pipe.text() = all;
  CHECK_FALSE(ends.pipe.flush());
  CHECK_FALSE(ends.pipe.text().empty());
  CHECK(ends.pipe.text().size() < all.size());

  std::string seen;
  for (bool is_done = false; !is_done;) {
    seen += take(ends.reader, 10'000);  // less than the pipe holds
    is_done = ends.pipe.flush();
  }
  while (seen.size() < all.size()) seen += take(ends.reader, all.size());
  CHECK(seen == all);
}

TEST_CASE("a pipe whose reader is gone drops its text, and holds up nobody") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // as the watcher does
  Ends ends = make_ends();
  ends.reader.reset();
  ends.pipe.text() += "one\n";
  CHECK(ends.pipe.flush());
  CHECK(ends.pipe.text().empty());
  std::signal(SIGPIPE, before);
}

TEST_CASE("a pipe is full above 64 MiB, and no longer once the reader has taken some") {
  Ends ends = make_ends();
  ends.pipe.text().assign(std::size_t{64} << 20, 'x');
  CHECK_FALSE(ends.pipe.is_full());
  ends.pipe.text() += 'x';
  CHECK(ends.pipe.is_full());
  CHECK_FALSE(ends.pipe.flush());
  CHECK_FALSE(ends.pipe.is_full());
}
