#include "base/on_demand.hh"

#include <string>

#include "tests/catch.hh"

namespace tcplab::base {

TEST_CASE("A value on demand is the default until it is edited, and its copy is another value") {
  OnDemand<std::string> first;
  const OnDemand<std::string> untouched = first;
  CHECK(first->empty());
  CHECK(&*first == &*untouched);  // neither takes memory
  first.edit() += "a";
  OnDemand<std::string> second = first;
  second.edit() += "b";
  CHECK(*first == "a");
  CHECK(*second == "ab");
  CHECK(untouched->empty());
  second = untouched;
  CHECK(second->empty());
}

}  // namespace tcplab::base
