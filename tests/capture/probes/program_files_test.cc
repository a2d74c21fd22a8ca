// The files of a program, as the loader would find them.
#include "capture/probes/program_files.hh"

#include <algorithm>
#include <filesystem>

#include "base/error.hh"
#include "tests/catch.hh"

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
}
