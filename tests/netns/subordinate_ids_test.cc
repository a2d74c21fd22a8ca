// Which subordinate ids a user has, by the files of the machine (subuid(5)).
#include "netns/subordinate_ids.hh"

#include <fstream>

#include "tests/capture/temporary_file.hh"
#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("the largest range of a user counts, by name or by id") {
  const tests::TemporaryFile file("subuid");
  file.write(
      "alice:100000:1000\n"
      "bob:200000:65536\n"
      "alice:300000:65536\n"
      "1001:400000:7\n"
      "broken\nalice:x:1000000\nalice:1:\n");
  const auto alice = netns::subordinate_range(file.path(), "alice", 1000);
  REQUIRE(alice);
  CHECK(alice->first == 300000);
  CHECK(alice->count == 65536);
  CHECK(netns::subordinate_range(file.path(), "carol", 1001)->first == 400000);
  CHECK_FALSE(netns::subordinate_range(file.path(), "carol", 1002));
  CHECK_FALSE(netns::subordinate_range(file.path() + ".missing", "alice", 1000));
}
