#include "app/suite/concurrency.hh"

#include <chrono>

#include "tests/catch.hh"

using namespace std::chrono_literals;
using tcplab::app::Concurrency;
namespace base = tcplab::base;

namespace {

constexpr base::nanoseconds kInTime = 1ms;
constexpr base::nanoseconds kLate = 300ms;

}  // namespace

TEST_CASE("on an idle machine the user's number is allowed") {
  Concurrency few(4);
  CHECK(few.allowed() == 4);
  few.ticked(base::Instant{} + 50ms, kInTime, 4);
  CHECK(few.allowed() == 4);

  Concurrency many(500);
  CHECK(many.allowed() < 100);  // not all at once
  for (int tick = 1; tick < 40; ++tick)
    many.ticked(base::Instant{} + tick * 50ms, kInTime, many.allowed());
  CHECK(many.allowed() == 500);
}

TEST_CASE("on a busy machine fewer are allowed than are running, and more later") {
  Concurrency concurrency(16);
  const base::Instant start = base::Instant{} + 10s;
  concurrency.ticked(start, kLate, 16);
  CHECK(concurrency.allowed() == 12);
  concurrency.ticked(start + 400ms, kLate, 8);
  CHECK(concurrency.allowed() == 6);
  concurrency.ticked(start + 1300ms, kInTime, 6);  // within a second of the late tick
  CHECK(concurrency.allowed() == 6);
  concurrency.ticked(start + 1500ms, kInTime, 6);
  CHECK(concurrency.allowed() == 7);
}

TEST_CASE("after a late tick, the number grows twice a second") {
  Concurrency concurrency(16);
  const base::Instant start = base::Instant{} + 10s;
  concurrency.ticked(start, kLate, 8);
  for (int tick = 1; tick <= 40; ++tick) concurrency.ticked(start + tick * 50ms, kInTime, 6);
  CHECK(concurrency.allowed() == 9);  // after 1.0 s, 1.5 s and 2.0 s
}

TEST_CASE("runs that are starved allow fewer, at most twice a second") {
  Concurrency concurrency(16);
  const base::Instant start = base::Instant{} + 10s;
  for (int run = 0; run < 3; ++run) concurrency.starved(start + run * 100ms, 16);
  CHECK(concurrency.allowed() == 12);
  concurrency.starved(start + 500ms, 12);
  CHECK(concurrency.allowed() == 9);
}

TEST_CASE("a few runs are always allowed, but never more than the user's number") {
  Concurrency concurrency(16);
  concurrency.ticked(base::Instant{}, kLate, 1);
  CHECK(concurrency.allowed() == 2);
  Concurrency one(1);
  one.ticked(base::Instant{}, kLate, 1);
  CHECK(one.allowed() == 1);
}
