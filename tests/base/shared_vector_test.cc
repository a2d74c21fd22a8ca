#include "base/shared_vector.hh"

#include <string>
#include <vector>

#include "tests/catch.hh"

using tcplab::base::SharedVector;

namespace {

std::vector<std::string> words(const SharedVector<std::string>& shared) {
  return {shared.begin(), shared.end()};
}

}  // namespace

TEST_CASE("a copy shares its elements until one of both changes") {
  SharedVector<std::string> first{"a", "b"};
  SharedVector<std::string> second = first;
  CHECK(second.shares_with(first));
  second.push_back("c");
  CHECK_FALSE(second.shares_with(first));
  CHECK(words(first) == std::vector<std::string>{"a", "b"});
  CHECK(words(second) == std::vector<std::string>{"a", "b", "c"});
  second.clear();
  CHECK(second.empty());
  CHECK(first.size() == 2);
}

TEST_CASE("an empty shared vector takes elements") {
  SharedVector<std::string> empty;
  CHECK(words(empty).empty());
  empty.push_back("a");
  CHECK(empty[0] == "a");
}
