#include "lab/programs/program_signals.hh"

#include <chrono>
#include <csignal>
#include <utility>

namespace tcplab::lab {

using namespace std::chrono_literals;

namespace {

constexpr auto kLongestDeath = 5s;
constexpr auto kPumpEvery = 1ms;

}  // namespace

ProgramSignals::ProgramSignals(const ProgramSurroundings& around, netns::RunningProgram& process,
                               ProgramState& state, const std::string& title, bool is_dnc)
    : process_(process), state_(state), is_dnc_(is_dnc) {
  if (!around.perturbation.is_on()) return;
  delayed_.emplace(around.clock, around.perturbation, "signal to " + title, 2);
  hold_start(around.perturbation.next("start of " + title, 2));
}

/// It has begun already: it may have run until it first blocked (netns::LentPriority).
void ProgramSignals::hold_start(base::nanoseconds delay) {
  if (delay.count() == 0) return;
  process_.signal(SIGSTOP);
  delayed_->act_after(delay, [this] {
    if (state_.is_running) process_.signal(SIGCONT);
  });
}

void ProgramSignals::note(int signal, bool to_all) {
  if (signal == SIGSTOP || signal == SIGCONT) is_frozen_ = signal == SIGSTOP;
  const bool ends_dnc = signal == SIGTERM || signal == SIGINT;
  if (signal != SIGKILL && (!is_dnc_ || !ends_dnc || is_frozen_)) return;
  is_dying_ = true;
  all_die_ = all_die_ || to_all;
}

bool ProgramSignals::await_death(const std::function<void()>& meanwhile) {
  if (!std::exchange(is_dying_, false)) return false;
  if (delayed_) delayed_->hurry();
  const auto deadline = std::chrono::steady_clock::now() + kLongestDeath;
  while (!process_.await_end(all_die_, kPumpEvery) && std::chrono::steady_clock::now() < deadline)
    meanwhile();
  return true;
}

bool ProgramSignals::send(int signal) {
  note(signal, false);
  if (!delays(signal)) return state_.is_running && process_.signal(signal);
  if (state_.is_running) process_.signal(SIGSTOP);
  delayed_->act([this, signal] {
    if (!state_.is_running) return;
    process_.signal(signal);
    process_.signal(SIGCONT);
  });
  return state_.is_running;
}

/// Whether a process would not handle the signal at once on a busy machine. From the signal on, it
/// runs no more of its own code, so it is stopped until it gets the signal.
bool ProgramSignals::delays(int signal) {
  if (!delayed_) return false;
  const bool has_delay = signal != SIGSTOP && signal != SIGCONT && !is_frozen_;
  if (!has_delay) delayed_->hurry();
  return has_delay;
}

std::size_t ProgramSignals::send_to_all(int signal) {
  note(signal, true);
  if (signal != SIGSTOP && signal != SIGCONT) expect_end();
  if (!delays(signal)) return process_.signal_all(signal);
  const std::size_t count = process_.processes().size();
  if (state_.is_running) process_.signal(SIGSTOP);
  delayed_->act([this, signal] {
    process_.signal_all(signal);
    process_.signal_all(SIGCONT);
  });
  return count;
}

}  // namespace tcplab::lab
