#include "reports/text/rfc_requirement.hh"

#include <algorithm>

#include "tests/catch.hh"

using namespace tcplab::reports;

namespace {

RfcRequirement of(RequirementLevel level, const std::string& id) {
  return {.id = id, .level = level};
}

}  // namespace

TEST_CASE("requirements are ordered by level, and their numbers by value") {
  const std::vector<RfcRequirement> ordered = {
      of(RequirementLevel::must, "MUST-2"),        of(RequirementLevel::must, "MUST-10"),
      of(RequirementLevel::must, "RFC5961-3.2-a"), of(RequirementLevel::must, "RFC5961-3.10"),
      of(RequirementLevel::should, "RFC1122-1"),   of(RequirementLevel::behaviour, "backlog"),
      of(RequirementLevel::behaviour, "RFC6928-2")};
  std::vector<RfcRequirement> sorted(ordered.rbegin(), ordered.rend());
  std::ranges::sort(sorted,
                    [](const auto& one, const auto& other) { return comes_before(one, other); });
  for (std::size_t i = 0; i < ordered.size(); ++i) CHECK(sorted[i].id == ordered[i].id);
  CHECK_FALSE(comes_before(ordered[0], ordered[0]));
}

TEST_CASE("a level is read back from its name") {
  for (const auto level : {RequirementLevel::must, RequirementLevel::should, RequirementLevel::may,
                           RequirementLevel::behaviour})
    CHECK(requirement_level(name(level)) == level);
  CHECK_FALSE(requirement_level("must"));
}
