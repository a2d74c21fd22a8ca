// Waits for one suspension at a time: shows it the events of the timeline, asks it at its deadline,
// and reports the decision. Keeps the cursors, which say where the next expectation starts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/script/cursors.hh"
#include "app/script/suspension.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

class Waiter {
public:
  explicit Waiter(lab::Laboratory& laboratory);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// Called from the loop when a suspension is decided.
  std::function<void(const Suspension& suspension, bool met)> on_decided;
  /// Called with what is awaited, when the waiting begins.
  std::function<void(const std::string&)> on_waiting;

  /// Waits for the suspension. It first looks at the earlier events that it counts.
  void wait(std::unique_ptr<Suspension> suspension);
  /// Returns what it waits for, "" if for nothing: "kang's dnc: read returns 0, within 5 s".
  std::string awaited() const;
  /// Stops waiting; on_decided is not called.
  void cancel();
  /// True while it waits and nothing is decided yet.
  bool is_waiting() const { return suspension_ && decision_ == Decision::open; }

  Cursors& cursors() { return cursors_; }

private:
  void look_back();
  void scan_history();
  void look(const capture::Event& event);
  void look_again(const lab::ConnectionKey& connection);
  void decide(Decision decision);
  void set_alarm();
  base::Instant deadline();
  void time_is_up();
  void settle();

  lab::Laboratory& laboratory_;
  std::unique_ptr<lab::Alarm> alarm_;
  std::unique_ptr<Suspension> suspension_;
  std::uint64_t history_begins_ = 0;   // the suspension's: events after this one
  bool has_looked_back_ = false;       // new events count from then on
  base::nanoseconds held_at_begin_{};  // the stepper's held time
  base::nanoseconds busy_at_begin_{};  // the time waited for a processor
  Decision decision_ = Decision::open;
  Cursors cursors_;
};

}  // namespace tcplab::app
