// One run of one scenario: the script as a coroutine in a laboratory. It suspends in what it
// waits for, is resumed from the loop, and ends with the first expectation that fails.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/engine/lab/laboratory.hh"
#include "scenarios/engine/script/script.hh"
#include "scenarios/engine/script/suspension.hh"

namespace tcplab::engine {

struct ExperimentConfig {
  std::string script;
  LaboratoryConfig laboratory;
  /// Instead of a script's file: it is given its turns one after another, by take_turn().
  std::optional<ScriptInfo> session{};
  /// How much later than the kernel's own formula things may come on a slow machine.
  base::nanoseconds slack = std::chrono::milliseconds(500);
};

/// What the process of a run exits with; the program's own exit status follows from it.
enum class RunStatus : int { passed = 0, failed = 1, bad_script = 2, broken = 3, skipped = 4 };

capture::Outcome outcome_of(RunStatus status);

/// Thrown by lab:skip() and by a need that is not met; not an error.
class Skip : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Experiment {
public:
  explicit Experiment(const ExperimentConfig& config);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  /// Runs the script to its end; what went wrong is in the result, and nothing is thrown.
  RunStatus run();
  const std::string& reason() const { return reason_; }
  /// The last verdict, if it failed.
  const std::optional<capture::Verdict>& failed_verdict() const { return failed_verdict_; }

  Laboratory& laboratory() { return laboratory_; }
  const ScriptInfo& script() const { return script_.info(); }

  // A session's. A turn is a coroutine with a function on its stack; it ends as a script's run
  // does, but the session goes on, unless the lab broke.
  Script& session() { return script_; }
  void take_turn(lua_State* thread);
  /// Told when a turn is over, maybe from inside of it: the next one is for the loop to begin.
  std::function<void(RunStatus status, const std::string& reason)> on_turn_end;
  /// The turn stops waiting, and is over. Nothing happens where it does not wait.
  void stop_waiting();
  /// The session is over.
  void end_session(RunStatus status, const std::string& reason);
  base::nanoseconds slack() const { return config_.slack; }

  /// Makes the script wait. Events after its stream's cursor are looked at first.
  /// Returns kSuspend, for a bound function to return.
  int suspend(std::unique_ptr<Suspension> suspension);
  /// The same, for an event that must not come: only events from now on count.
  int suspend_from_now(std::unique_ptr<Suspension> suspension);
  /// Waits for a condition on how things are. When it has come to hold, `then` pushes what the
  /// script gets of it and says how many values that is.
  using Then = std::function<int(lua_State* thread)>;
  int suspend_until(base::nanoseconds within, std::string expected,
                    std::function<Condition::Status()> ask, int line, Then then = {});
  /// The same for a condition that comes to hold without any event: it is asked now and then.
  int suspend_asking(base::nanoseconds within, std::string expected,
                     std::function<Condition::Status()> ask, int line);

  /// Puts a verdict on the timeline. One that failed ends the run: then it returns kSuspend.
  int judge(bool passed, const std::string& expected, const std::string& seen,
            const std::string& host, int line);
  /// The same of a time that was measured. In a run that is stepped through it says how long
  /// somebody has looked at the screen: there it is told and not judged.
  int judge_time(bool passed, const std::string& expected, const std::string& seen, int line);

  void act(capture::Action action);

  std::uint64_t cursor(const std::string& stream) const;
  const std::map<std::string, std::uint64_t>& cursors() const { return cursors_; }
  void move_cursor(const std::string& stream, std::uint64_t number) { cursors_[stream] = number; }

  /// Called when the script begins to wait for something.
  std::function<void(const std::string&)> on_waiting;

private:
  friend void call_failed(lua_State* lua, const std::exception& error);

  void begin();
  void check_needs() const;
  void resume();
  void resumed(int status, int results);
  void script_failed(int status);
  void wait_for(std::unique_ptr<Suspension> suspension, std::uint64_t after);
  void begin_waiting();
  void scan_history(std::uint64_t after);
  void look(const capture::Event& event);
  void decide(Decision decision);
  void wait_on();
  base::Instant deadline() const;
  void time_is_up();
  void settle();
  int push_result();
  void finish(RunStatus status, std::string reason);
  void end_turn(RunStatus status, const std::string& reason);
  capture::RunStart run_start() const;
  void end_run();
  void say_that_it_was_stepped();

  ExperimentConfig config_;
  Script script_;
  Laboratory laboratory_;
  std::unique_ptr<Alarm> alarm_;
  lua_State* thread_ = nullptr;
  std::unique_ptr<Suspension> suspension_;
  base::nanoseconds held_before_{};  // while frames hung in the air, by when it began
  std::uint64_t scanned_after_ = 0;  // where the suspension's history begins
  bool is_waiting_ = false;          // what was before has been looked at
  Decision decision_ = Decision::open;
  Then then_;
  std::map<std::string, std::uint64_t> cursors_;
  std::exception_ptr fatal_;  // a bound function threw it: the lab broke, or the run is skipped
  std::optional<RunStatus> status_;
  std::string reason_;
  std::optional<capture::Verdict> failed_verdict_;
};

/// Leaves "FILE:LINE: what" on the Lua stack for an exception of a bound function, and keeps
/// those that are not the script's fault for the experiment.
void call_failed(lua_State* lua, const std::exception& error);

}  // namespace tcplab::engine
