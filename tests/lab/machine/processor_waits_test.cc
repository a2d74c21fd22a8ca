#include "lab/machine/processor_waits.hh"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tests/catch.hh"

using namespace std::chrono_literals;
using tcplab::lab::other_threads;
using tcplab::lab::ProcessorWaits;
namespace base = tcplab::base;

TEST_CASE("run delays add up, but no sample adds more time than has passed") {
  const base::Instant start{};
  ProcessorWaits waits(start);
  waits.sample(start + 100ms, {{"self", {10ms}}, {"7", {20ms}}});
  CHECK(waits.total() == 30ms);
  waits.sample(start + 200ms, {{"self", {10ms}}, {"7", {25ms}}, {"8", {1ms}}});
  CHECK(waits.total() == 36ms);
  waits.sample(start + 300ms, {{"self", {110ms}}, {"7", {125ms}}, {"8", {1ms}}});
  CHECK(waits.total() == 136ms);
}

TEST_CASE("a wait that no run delay contains adds up with them") {
  ProcessorWaits waits{base::Instant{}};
  waits.sample(base::Instant{} + 100ms, {{"self", {10ms}}});
  waits.add(150ms);
  CHECK(waits.total() == 160ms);
}

TEST_CASE("a program that has ended takes nothing back") {
  const base::Instant start{};
  ProcessorWaits waits(start);
  waits.sample(start + 100ms, {{"self", {1ms}}, {"7", {20ms}}});
  waits.sample(start + 200ms, {{"self", {1ms}}, {"7", {0ms}}});
  waits.sample(start + 300ms, {{"self", {2ms}}});
  CHECK(waits.total() == 22ms);
}

TEST_CASE("other threads wait too, but do not make the run starved") {
  const base::Instant start{};
  ProcessorWaits waits(start);
  waits.sample(start + 500ms, {{"7", {10ms}}}, {{"8", {400ms}}});
  CHECK(waits.total() == 410ms);
  CHECK_FALSE(waits.take_starved());
  waits.sample(start + 1s, {{"7", {10ms}}}, {{"8", {400ms}}, {"9", {2s}}});
  CHECK(waits.total() == 910ms);
}

TEST_CASE("the waits of a program's threads for each other do not count") {
  const base::Instant start{};
  ProcessorWaits waits(start);
  waits.sample(start + 900ms, {{"7", {}}},
               {{"8", {600ms, 300ms}}, {"9", {600ms, 300ms}}, {"10", {600ms, 300ms}}});
  CHECK(waits.total() == 0ms);
  // The three, and something else, take turns.
  waits.sample(start + 2100ms, {{"7", {}}},
               {{"8", {1500ms, 600ms}}, {"9", {1500ms, 600ms}}, {"10", {1500ms, 600ms}}});
  CHECK(waits.total() == 300ms);
}

TEST_CASE("the waits of a process are those of all its threads") {
  std::atomic<bool> done = false;
  const auto burn = [&done] {
    while (!done) continue;
  };
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  std::array threads{std::thread(burn), std::thread(burn)};  // for one processor
  for (std::thread& thread : threads)
    ::pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
  const std::string self = std::to_string(::getpid());
  const auto waited = [&self] {
    base::nanoseconds sum{};
    for (const auto& [thread, times] : other_threads(self)) sum += times.waited;
    return sum;
  };
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (waited() < 20ms && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(1ms);
  CHECK(waited() >= 20ms);
  done = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("they are starved if they wait for most of half a second") {
  const base::Instant start{};
  ProcessorWaits waits(start);
  waits.sample(start + 400ms, {{"self", {300ms}}});
  CHECK_FALSE(waits.take_starved());  // half a second is not over
  waits.sample(start + 500ms, {{"self", {300ms}}});
  CHECK(waits.take_starved());
  CHECK_FALSE(waits.take_starved());
  waits.sample(start + 1000ms, {{"self", {500ms}}});
  CHECK_FALSE(waits.take_starved());
}

TEST_CASE("a process that does not exist has waited for nothing") {
  CHECK(tcplab::lab::first_thread("no process").waited == 0ns);
}
