// The signals that a laboratory sends to a program, and what they do to it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "lab/programs/delayed_acts.hh"
#include "lab/programs/program_request.hh"

namespace tcplab::lab {

class ProgramSignals {
public:
  /// `title`: names the program for --perturb, "kang/dnc". `is_dnc`: SIGTERM and SIGINT end it at
  /// once.
  ProgramSignals(const ProgramSurroundings& around, netns::RunningProgram& process,
                 ProgramState& state, const std::string& title, bool is_dnc);
  ProgramSignals(const ProgramSignals&) = delete;
  ProgramSignals& operator=(const ProgramSignals&) = delete;

  /// Sends a signal to the main process, kill(2); false if that has ended.
  bool send(int signal);
  /// Sends a signal to all processes: workers and daemons, too. Returns how many get it.
  std::size_t send_to_all(int signal);
  /// True if the main process ignores that signal (signal(7)).
  bool is_ignored(int signal) const { return state_.is_running && process_.ignores(signal); }
  /// Notes that the program was asked to end, so that processes that remain do not count as
  /// daemons.
  void expect_end() { state_.is_asked_to_end = true; }
  /// If a signal has been sent that ends the program at once (SIGKILL; for dnc, also SIGTERM and
  /// SIGINT), waits until it and its processes have ended, but at most some seconds. Calls
  /// `meanwhile` again and again. Returns false if no such signal has been sent.
  bool await_death(const std::function<void()>& meanwhile);

private:
  void hold_start(base::nanoseconds delay);
  void note(int signal, bool to_all);
  bool delays(int signal);

  netns::RunningProgram& process_;
  ProgramState& state_;
  bool is_dnc_;
  bool is_dying_ = false;               // a signal ends it at once
  bool all_die_ = false;                // the signal went to all its processes
  bool is_frozen_ = false;              // by SIGSTOP
  std::optional<DelayedActs> delayed_;  // by --perturb
};

}  // namespace tcplab::lab
