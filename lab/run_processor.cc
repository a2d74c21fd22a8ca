#include "lab/run_processor.hh"

#include <chrono>
#include <string>
#include <thread>

namespace tcplab::lab {

using namespace std::chrono_literals;

namespace {

constexpr unsigned kTurnsPerDelay = 40;  // with --perturb
// Frames wait meanwhile. After 200 ms (TCP_RTO_MIN), TCP would send them again.
constexpr base::nanoseconds kLongestTurn = 150ms;

/// Zero, for any stall, with a virtual clock: a heartbeat would stop it many times a second.
/// Whether the clock of stack hosts is virtual is known later.
base::nanoseconds longest_stall(const LaboratoryConfig& config) {
  return config.has_virtual_clock() ? base::nanoseconds{} : config.longest_stall;
}

}  // namespace

RunProcessor::RunProcessor(const LaboratoryConfig& config, Clock& clock, Perturbation& perturbation)
    : clock_(clock),
      perturbation_(perturbation),
      stalls_(base::now(), longest_stall(config), [] { return first_thread("self").waited; }),
      heartbeat_(clock.make_alarm()) {
  if (perturbation_.is_on()) clock_.between_turns = [this] { delay_turn(); };
  if (stalls_.is_on()) schedule_heartbeat();
}

/// Nothing is handled meanwhile, as if this process waited for a processor. On a virtual clock, a
/// delay takes as much virtual time.
void RunProcessor::delay_turn() {
  const base::nanoseconds delay = perturbation_.next("turn", kTurnsPerDelay, kLongestTurn);
  if (delay.count() == 0) return;
  waits_.add(delay * base::time_course().slowness);
  const base::Instant until = base::now() + delay;
  std::this_thread::sleep_until(base::time_course().machine_time(until));
}

/// The loop handles what is ready in turns: a frame that waited when the alarm was set is read
/// before the alarm rings.
void RunProcessor::schedule_heartbeat() {
  if (clock_.skips_time()) return stalls_.stop();
  stalls_.beat(base::now());
  heartbeat_->set(clock_.now() + stalls_.heartbeat(), [this] { schedule_heartbeat(); });
}

base::nanoseconds RunProcessor::waited() {
  TimesByThread first{{"self", first_thread("self")}};
  TimesByThread others;
  for (const pid_t program : programs()) {
    const std::string pid = std::to_string(program);
    first[pid] = first_thread(pid);
    others.merge(other_threads(pid));
  }
  waits_.sample(base::now(), first, others);
  return waits_.total();
}

void RunProcessor::look() {
  waited();
  if (waits_.take_starved() && on_starved) on_starved();
  pinning_.give_way(std::chrono::steady_clock::now());
}

}  // namespace tcplab::lab
