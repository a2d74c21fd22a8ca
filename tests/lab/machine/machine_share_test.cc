#include "lab/machine/machine_share.hh"

#include "tests/catch.hh"

using namespace tcplab::lab;

TEST_CASE("the control group of a controller is found in both versions") {
  const char* const text =
      "4:memory:/outer/inner\n"
      "2:cpu,cpuacct:/shared\n"
      "1:name=systemd:/user:1\n"
      "0::/second\n";
  CHECK(control_group(text, "memory") == "/outer/inner");
  CHECK(control_group(text, "cpuacct") == "/shared");
  CHECK(control_group(text, "name=systemd") == "/user:1");
  CHECK(control_group(text, "") == "/second");
  CHECK(control_group(text, "pids").empty());
  CHECK(control_group("", "").empty());
}

TEST_CASE("this machine has memory and can start processes") {
  CHECK(available_memory() > 1 << 20);
  CHECK(possible_processes() > 10);
}
