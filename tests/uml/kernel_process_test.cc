#include "uml/kernel_process.hh"

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("the last words of a kernel are its panic", "[kernel_process]") {
  CHECK(uml::find_last_words("Checking that ptrace works\n"
                             "<0>Kernel panic - not syncing: Attempted to kill init!\n"
                             "<4>CPU: 0 PID: 1\n<4> [<600631fc>] ? init_rescuer\n") ==
        "Kernel panic - not syncing: Attempted to kill init!");
}

TEST_CASE("the last words of an agent come before the rest", "[kernel_process]") {
  CHECK(uml::find_last_words("tcplab-agent: cannot open /dev/net/tun: x (ENOENT)\n"
                             "reboot: Power down\n") ==
        "tcplab-agent: cannot open /dev/net/tun: x (ENOENT)");
}

TEST_CASE("without either, the last line counts", "[kernel_process]") {
  CHECK(uml::find_last_words("first\n  last \r\n\n") == "last");
  CHECK(uml::find_last_words("").empty());
}
