#include "lab/machine/run_limits.hh"

#include "base/error.hh"
#include "lab/machine/machine_share.hh"
#include "tests/catch.hh"

using namespace tcplab::lab;
namespace base = tcplab::base;

TEST_CASE("a limit has a name, a number and a unit") {
  RunLimits limits = usual_limits();
  set_limit(limits, "output=3K");
  set_limit(limits, "memory=2G");
  set_limit(limits, "events=0");
  set_limit(limits, "processes=1K");
  set_limit(limits, "program-memory=3G");
  CHECK(limits.output == 3 << 10);
  CHECK(limits.memory == std::uint64_t{2} << 30);
  CHECK(limits.events == 0);
  CHECK(limits.processes == 1024);
  CHECK(limits.program_memory == std::uint64_t{3} << 30);
  CHECK(limits.programs == usual_limits().programs);
  for (const char* wrong : {"", "output", "output=", "=1", "outputs=1", "output=1T", "output=-1",
                            "output=1M2", "memory=99999999999G"})
    CHECK_THROWS_AS(set_limit(limits, wrong), base::UsageError);
}

TEST_CASE("a budget ends the run once, so that the end of the run can be recorded") {
  Budget budget("more than {} events", "events", 2);
  budget.spend(2);
  CHECK_THROWS_AS(budget.spend(1), base::LabError);
  CHECK_NOTHROW(budget.spend(1));
}

TEST_CASE("a limit of 0 is none") {
  Budget budget("more than {} events", "events", 0);
  CHECK_NOTHROW(budget.spend(1'000'000));
}

TEST_CASE("the usual limits are a share of the machine") {
  const RunLimits limits = usual_limits();
  CHECK(limits.processes >= 1000);
  CHECK(limits.processes <= 4096);
  CHECK(limits.program_memory > 0);
  CHECK(limits.program_memory <= available_memory());
  CHECK(limits.memory <= std::uint64_t{4} << 30);
}
