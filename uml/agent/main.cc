// The init of a guest: a User-mode Linux kernel starts this program, as pid 1.
#include <sys/reboot.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "uml/agent/agent.hh"
#include "uml/agent/guest_system.hh"

namespace {

[[noreturn]] void serve() {
  tcplab::uml::prepare_system();
  tcplab::uml::Agent().run();
}

void say(const std::exception& error) {
  std::printf("tcplab-agent: %s\n", error.what());
  std::fflush(stdout);
}

}  // namespace

int main() {
  try {
    tcplab::uml::require_guest();
  } catch (const std::exception& error) {  // this may be the machine: leave it as it is
    say(error);
    return 2;
  }
  try {
    serve();
  } catch (const std::exception& error) {
    say(error);
  }
  ::reboot(RB_POWER_OFF);
}
