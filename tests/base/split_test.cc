#include "base/split.hh"

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("a text is split at each separator") {
  using Parts = std::vector<std::string>;
  CHECK(base::split("/usr/bin:/bin", ':') == Parts{"/usr/bin", "/bin"});
  CHECK(base::split("no separator", '\n') == Parts{"no separator"});
  CHECK(base::split(",a,,b", ',') == Parts{"", "a", "", "b"});
}

TEST_CASE("a line feed at the end of a text ends its last line") {
  using Parts = std::vector<std::string>;
  CHECK(base::split("", '\n') == Parts{});
  CHECK(base::split("\n", '\n') == Parts{""});
  CHECK(base::split("a\nb\n", '\n') == Parts{"a", "b"});
  CHECK(base::split("a\n\n", '\n') == Parts{"a", ""});
}
