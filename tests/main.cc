// The main() of every test executable. A test without assertions fails, because it could never
// fail. Catch2's own -w NoAssertions is too strict: it wants an assertion in every SECTION too.
#define CATCH_CONFIG_RUNNER

#include <cstdio>

#include "tests/catch.hh"
#include "tests/skip.hh"

namespace {

constexpr int kSkipped = 4;  // the status of tcplab when nothing ran

int without_assertions = 0;

#if CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& test) { return test.testInfo->name; }
#else
using ListenerBase = Catch::TestEventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& test) { return test.testInfo.name; }
#endif

class AssertionCounter : public ListenerBase {
public:
  using ListenerBase::ListenerBase;

  void testCaseEnded(const Catch::TestCaseStats& test) override {
    if (test.totals.assertions.total() > 0) return;
    ++without_assertions;
    std::fprintf(stderr, "asserts nothing: %s\n", name_of(test).c_str());
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(AssertionCounter)

int main(int count, char* arguments[]) {
  // Catch2 returns the number of failures; without this line, four failures would look like a skip.
  const bool failed = Catch::Session().run(count, arguments) != 0 || without_assertions > 0;
  if (failed) return 1;
  return tcplab::tests::skips() > 0 ? kSkipped : 0;
}
