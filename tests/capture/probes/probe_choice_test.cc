// Which probes a pattern chooses.
#include "capture/probes/probe_choice.hh"

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;

namespace {

bool chooses(const std::string& pattern, const std::string& provider, const std::string& name) {
  const capture::ProbeChoice choice("--probe", {"other:one", pattern});
  return choice.match({.provider = provider, .name = name});
}

}  // namespace

TEST_CASE("a pattern chooses probes by provider and name") {
  CHECK(chooses("python:line", "python", "line"));
  CHECK_FALSE(chooses("python:line", "python", "lines"));
  CHECK_FALSE(chooses("python:line", "jython", "line"));
  CHECK(chooses("postgresql:transaction__*", "postgresql", "transaction__start"));
  CHECK_FALSE(chooses("postgresql:transaction__*", "postgresql", "query__start"));
  CHECK(chooses("*:throw", "libstdcxx", "throw"));
  CHECK(chooses("?ython:*", "python", "line"));
}

TEST_CASE("a pattern without a provider or a name is refused") {
  for (const char* text : {"line", ":line", "python:", ""}) {
    INFO(text);
    CHECK_THROWS_AS(capture::ProbeChoice("--probe", {text}), base::UsageError);
  }
}

TEST_CASE("a pattern that no name can match is refused, and quoted") {
  for (const char* text :
       {"foo:b c", "a b:c", " :x", "abort=x:y", "x:y=z", "x:y\n", "x:\ty", "x:\x7f"}) {
    INFO(text);
    CHECK_THROWS_AS(capture::ProbeChoice("--probe", {text}), base::UsageError);
  }
  CHECK_THROWS_WITH(capture::ProbeChoice("--probe", {"x:y\n"}),
                    Catch::Matchers::StartsWith("--probe \"x:y\\n\": write a probe as "));
  CHECK_NOTHROW(capture::ProbeChoice("--probe", {"x:[!a-c]$_.\u00fc"}));
}
