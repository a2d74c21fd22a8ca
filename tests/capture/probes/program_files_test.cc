// The files of a program, as the loader would find them.
#include "capture/probes/program_files.hh"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hh"
#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;

TEST_CASE("a program consists of itself, its libraries and its loader") {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto program = capture::program_files(self);
  REQUIRE_FALSE(program.files.empty());
  CHECK(program.files.front() == self);
  CHECK(program.missing.empty());
  const auto has = [&program](const std::string& name) {
    return std::ranges::count_if(program.files, [&name](const std::string& file) {
      return std::filesystem::path(file).filename().string().starts_with(name);
    });
  };
  CHECK(has("libstdc++.so.6") == 1);
  CHECK(has("libc.so.6") == 1);
  CHECK(has("ld-linux") == 1);
}

TEST_CASE("what is no program has no files") {
  CHECK_THROWS_AS(capture::program_files("/etc/passwd"), base::UsageError);
  CHECK_THROWS_AS(capture::program_files("/etc"), base::UsageError);
  CHECK_THROWS_AS(capture::program_files("/nowhere"), base::UsageError);
  CHECK_THROWS_AS(capture::program_files("/dev/zero"), base::UsageError);
}

TEST_CASE("a FIFO is no program, and nobody waits for its other end") {
  const tests::TemporaryFolder folder;
  const std::string fifo = (folder.path() / "fifo").string();
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  CHECK_THROWS_AS(capture::program_files(fifo), base::UsageError);
}
