#include "app/suite/run_plan.hh"

#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::app;
using base::Family;

namespace {

ScriptInfo script(const std::string& name,
                  std::vector<Family> families = {Family::ipv4, Family::ipv6}) {
  ScriptInfo info;
  info.name = name;
  info.families = std::move(families);
  return info;
}

std::vector<std::string> folders(const std::vector<ScriptInfo>& scripts,
                                 const std::vector<Family>& families, int repeat = 1) {
  std::vector<std::string> all;
  for (const RunPlan& plan :
       plan_runs(scripts, {.families = families, .repeat = repeat, .out = "runs"}))
    all.push_back(plan.folder.string());
  return all;
}

using Folders = std::vector<std::string>;

}  // namespace

TEST_CASE("a run's folder is named after the scenario, the family and the repetition") {
  const std::vector scripts = {script("power-off")};
  CHECK(folders(scripts, {Family::ipv6}) == Folders{"runs/power-off-ipv6"});
  CHECK(folders(scripts, {Family::ipv4, Family::ipv6}) ==
        Folders{"runs/power-off-ipv4", "runs/power-off-ipv6"});
  CHECK(folders(scripts, {Family::ipv4}, 2) ==
        Folders{"runs/power-off-ipv4-1", "runs/power-off-ipv4-2"});
  CHECK(folders(scripts, {Family::ipv4, Family::ipv6}, 2) ==
        Folders{"runs/power-off-ipv4-1", "runs/power-off-ipv6-1", "runs/power-off-ipv4-2",
                "runs/power-off-ipv6-2"});
}

TEST_CASE("a scenario runs on the families that it supports") {
  const std::vector scripts = {script("arp", {Family::ipv4}), script("power-off")};
  CHECK(folders(scripts, {Family::ipv4, Family::ipv6}) ==
        Folders{"runs/arp-ipv4", "runs/power-off-ipv4", "runs/power-off-ipv6"});
  CHECK(folders({scripts.front()}, {Family::ipv6}).empty());
}

TEST_CASE("a run for a person is on the first family that the scenario supports") {
  const auto plans =
      plan_runs({script("power-off"), script("flow-labels", {Family::ipv6})},
                {.families = {Family::ipv4, Family::ipv6}, .is_one_family = true, .out = "runs"});
  REQUIRE(plans.size() == 2);
  CHECK(plans[0].family == Family::ipv4);
  CHECK(plans[0].folder == "runs/power-off-ipv4");
  CHECK(plans[1].family == Family::ipv6);
}

TEST_CASE("two scenarios with the same name get different folders") {
  CHECK(folders({script("reset"), script("reset"), script("reset-2")}, {Family::ipv4}) ==
        Folders{"runs/reset-ipv4", "runs/reset-ipv4-2", "runs/reset-2-ipv4"});
}

TEST_CASE("a planned run has its variant, family and timers") {
  const auto plans = plan_runs(
      {script("power-off")},
      {.families = {Family::ipv6}, .timers = lab::TimerProfile::stock, .repeat = 3, .out = "runs"});
  REQUIRE(plans.size() == 3);
  CHECK(plans[1].variant == "IPv6, stock, 2 of 3");
  CHECK(plans[1].family == Family::ipv6);
  CHECK(plans[1].timers == lab::TimerProfile::stock);
  CHECK(plans[1].script.name == "power-off");
}
