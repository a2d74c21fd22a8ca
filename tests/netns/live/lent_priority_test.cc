// Checks that what the lab waits for has the lab's real-time priority, if the lab has one.
#include <sched.h>

#include "base/error.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;

namespace {

constexpr int kOurs = 2;

bool take_priority() {
  const sched_param parameter{.sched_priority = kOurs};
  return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameter) == 0;
}

void require_priority(int expected) {
  sched_param parameter{};
  base::check("ask for its priority", sched_getparam(0, &parameter));
  if (parameter.sched_priority != expected)
    throw base::LabError("its priority is " + std::to_string(parameter.sched_priority));
}

class AsksForItsPriority : public netns::SpawnHook {
public:
  void in_lab(pid_t /*pid*/) override {
    pipe_.write_end.reset();  // the program may go on
  }
  void in_child() override {
    pipe_.write_end.reset();
    char nothing = 0;
    base::check("wait for the lab", read(pipe_.read_end.get(), &nothing, 1));
  }
  void before_exec() override { require_priority(kOurs); }

private:
  base::Pipe pipe_ = base::make_pipe();
};

void start_a_program() {
  if (!take_priority()) return;  // an ordinary user may not
  const auto hosts = netns::Host::power_on(pair_config(), netns::preferred_port_kind());
  AsksForItsPriority hook;
  netns::SpawnRequest request{.command = {"sleep", "60"}, .environment = {}};
  request.hook = &hook;
  const netns::Spawned program = hosts[0]->spawn(request);
  expect(sched_getscheduler(program.pid) == SCHED_OTHER, "the program has an ordinary priority");
  const std::string wrong = hosts[0]->do_inside([] { require_priority(kOurs); });
  expect(wrong.empty(), "a task on the host: " + wrong);
}

}  // namespace

TEST_CASE("a program that starts has the priority of the lab", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab(start_a_program) == "");
}
