// Who waits for what, of the threads and the tasks of a process.
#include "look/looked_process.hh"

#include <array>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using look::LookedProcess;
using look::ThreadDoes;

namespace {

/// A process with an idle connection, of descriptor 5, and another, of descriptor 6.
LookedProcess process_with(std::vector<look::LookedThread> threads,
                           std::vector<look::LookedTask> tasks) {
  LookedProcess process{.threads = std::move(threads), .tasks = std::move(tasks)};
  for (const int descriptor : {5, 6}) {
    look::LookedConnection connection{.descriptors = {descriptor}};
    connection.facts.state = capture::TcpState::established;
    connection.facts.peer_window = 65536;
    connection.settings.keepalive = false;
    process.connections.push_back(connection);
  }
  return process;
}

bool may_last(const LookedProcess& process) { return look::has_endless_wait(std::array{process}); }

}  // namespace

TEST_CASE("a task waits for its connection, while the thread of the runtime waits for none") {
  const LookedProcess process = process_with({{.id = 1, .does = ThreadDoes::polls}},
                                             {{.name = "goroutine 7", .descriptor = 5}});
  const auto waits = look::waits_of(process);
  REQUIRE(waits.size() == 1);
  CHECK(waits[0].has_waiter());
  CHECK(waits[0].thread == nullptr);
  CHECK(waits[0].task == &process.tasks[0]);
  CHECK(waits[0].connection == process.connection(5));
  CHECK(waits[0].may_last_for_ever);
  CHECK(may_last(process));
}

TEST_CASE("a task with a deadline does not wait for ever, even if its time is not known") {
  CHECK_FALSE(may_last(process_with({}, {{.descriptor = 5, .has_deadline = true}})));
  CHECK_FALSE(
      may_last(process_with({}, {{.descriptor = 5, .has_deadline = true, .deadline = 9s}})));
  CHECK(may_last(process_with({}, {{.descriptor = 5, .has_deadline = true}, {.descriptor = 6}})));
}

TEST_CASE("if only the runtime waits, each connection is described without a waiter") {
  const LookedProcess process = process_with({{.id = 1, .does = ThreadDoes::polls}}, {});
  const auto waits = look::waits_of(process);
  REQUIRE(waits.size() == 2);
  CHECK_FALSE(waits[0].has_waiter());
  CHECK_FALSE(may_last(process));
}

TEST_CASE("threads and tasks may wait for the same connection") {
  const LookedProcess process = process_with(
      {{.id = 1, .does = ThreadDoes::waits, .descriptors = {5}, .awaited = {audit::Awaited::data}}},
      {{.descriptor = 5}});
  const auto waits = look::waits_of(process);
  REQUIRE(waits.size() == 2);
  CHECK(waits[0].thread == &process.threads[0]);
  CHECK(waits[1].task == &process.tasks[0]);
}
