#include "capture/stacks/perf_map.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

namespace tcplab::capture {

namespace {

/// The map of this process.
class OwnMap {
public:
  OwnMap() = default;
  OwnMap(const OwnMap&) = delete;
  OwnMap& operator=(const OwnMap&) = delete;
  ~OwnMap() { std::filesystem::remove(path()); }

  static std::string path() { return "/tmp/perf-" + std::to_string(::getpid()) + ".map"; }
  void add(const std::string& text) { std::ofstream(path(), std::ios::app) << text; }
};

}  // namespace

TEST_CASE("a perf map names the addresses of a function, and no others") {
  OwnMap file;
  file.add("1000 20 JS:*fetch /srv/client.js:7\n2000 10 order\n");
  PerfMap map(::getpid());
  CHECK(map.name(0xfff) == std::nullopt);
  CHECK(map.name(0x1000) == "JS:*fetch /srv/client.js:7");
  CHECK(map.name(0x101f) == "JS:*fetch /srv/client.js:7");
  CHECK(map.name(0x1020) == std::nullopt);
  CHECK(map.name(0x200f) == "order");
}

TEST_CASE("what a program adds to its perf map is read, and replaces older functions") {
  OwnMap file;
  file.add("1000 20 old\n");
  PerfMap map(::getpid());
  CHECK(map.name(0x1008) == "old");
  file.add("1000 40 new\n3000 10 is not yet writ");
  CHECK(map.name(0x1030) == "new");
  CHECK(map.name(0x3000) == std::nullopt);
  file.add("ten\n");
  CHECK(map.name(0x3000) == "is not yet written");
}

TEST_CASE("lines that are none of a perf map are left out") {
  OwnMap file;
  file.add("\nnot a number\n1000\n1000 20\n5000 10 order\n");
  PerfMap map(::getpid());
  CHECK(map.name(0x1000) == std::nullopt);
  CHECK(map.name(0x5000) == "order");
}

TEST_CASE("a perf map of another user is not believed") {
  if (::geteuid() != 0) return;  // only root can give a file away
  OwnMap file;
  file.add("1000 20 forged\n");
  constexpr uid_t kNobody = 65534;
  REQUIRE(::chown(OwnMap::path().c_str(), kNobody, kNobody) == 0);
  CHECK(PerfMap(::getpid()).name(0x1000) == std::nullopt);
}

TEST_CASE("a perf map that was written before the program was started is of another one") {
  OwnMap file;
  file.add("1000 20 yesterdays\n");
  const std::array<timespec, 2> yesterday = {
      {{.tv_sec = 1'000'000'000}, {.tv_sec = 1'000'000'000}}};
  REQUIRE(::utimensat(AT_FDCWD, OwnMap::path().c_str(), yesterday.data(), 0) == 0);
  CHECK(PerfMap(::getpid()).name(0x1000) == std::nullopt);
}

TEST_CASE("of a perf map without an end, nothing is read") {
  OwnMap file;
  file.add("1000 20 order\n");
  constexpr off_t kTerabyte = off_t{1} << 40;
  REQUIRE(::truncate(OwnMap::path().c_str(), kTerabyte) == 0);
  CHECK(PerfMap(::getpid()).name(0x1000) == std::nullopt);
}

TEST_CASE("a line without an end ends a perf map") {
  OwnMap file;
  file.add("1000 20 order\n2000 20 " + std::string(1 << 20, 'x') + "\n3000 20 last\n");
  PerfMap map(::getpid());
  CHECK(map.name(0x1000) == "order");
  CHECK(map.name(0x3000) == std::nullopt);
}

TEST_CASE("a program without a perf map has no names of it") {
  CHECK(PerfMap(::getpid()).name(0x1000) == std::nullopt);
}

}  // namespace tcplab::capture
