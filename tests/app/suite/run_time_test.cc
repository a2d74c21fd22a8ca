#include "app/suite/run_time.hh"

#include <chrono>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

TEST_CASE("the time of a run is this machine's until an event is ahead of it", "[run_time]") {
  app::RunTime time;
  const base::Instant machine = base::now();
  time.learn(machine - 5s);
  CHECK(time.at(machine) == machine);
  CHECK(time.newest() == machine - 5s);
  time.learn(base::now() + 940s);
  CHECK(time.at(base::now()) >= machine + 940s);
  CHECK(time.now() < base::now() + 941s);
}

TEST_CASE("the time of a run never goes back", "[run_time]") {
  app::RunTime time;
  const base::Instant event = base::now() + 940s;
  time.learn(event);
  time.learn(event - 100s);  // of another host, and late
  CHECK(time.newest() == event);
  CHECK(time.now() >= event);
}
