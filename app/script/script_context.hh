// The context of a script's verbs: the laboratory, the coroutine that runs, its wait, and its
// verdicts. A coroutine suspends while it waits, and ends with the first expectation that fails.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/script/computed_times.hh"
#include "app/script/handlers.hh"
#include "app/script/lua_binding.hh"
#include "app/script/run_status.hh"
#include "app/script/script.hh"
#include "app/script/unfinished.hh"
#include "app/script/verdicts.hh"
#include "app/script/waiter.hh"
#include "base/clock.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

class ScriptContext : public LuaOwner {
public:
  /// `slack`: how much later than by the kernel's formula a time may be, on a busy machine.
  ScriptContext(Script& script, lab::Laboratory& laboratory, base::nanoseconds slack);
  ScriptContext(const ScriptContext&) = delete;
  ScriptContext& operator=(const ScriptContext&) = delete;

  lab::Laboratory& laboratory() { return laboratory_; }
  Waiter& waiter() { return waiter_; }
  const Waiter& waiter() const { return waiter_; }
  Handlers& handlers() { return handlers_; }
  Verdicts& verdicts() { return verdicts_; }
  const Verdicts& verdicts() const { return verdicts_; }

  /// Called when the coroutine has ended, maybe while it is still on the call stack.
  std::function<void(RunStatus status, const std::string& reason)> on_end;
  /// Called when a function of lab:when is wrong; `line` is that of lab:when. If it is not set,
  /// such a function ends the coroutine, as bad_script.
  std::function<void(int line, const std::string& reason)> on_wrong_handler;

  /// Starts a coroutine from the loop. Its function and arguments are on its stack.
  void start(lua_State* thread, int arguments);
  /// Ends the coroutine. If none runs, has no effect; in a session, it ends the next one.
  void end(RunStatus status, const std::string& reason);
  /// For a session: more coroutines follow. What one has begun, the next may finish, so nothing is
  /// judged when it returns. The last one follows after set_session(false).
  void set_session(bool goes_on) { session_goes_on_ = goes_on; }

  // The following are for verbs. Those that return int return what the verb must return.

  /// Makes the script wait. If the suspension fails, the coroutine ends.
  int suspend(std::unique_ptr<Suspension> suspension);
  /// Makes the script wait, without a verdict: a note says how the wait ended. `answer` pushes the
  /// results of the verb and returns their number.
  using Answer = std::function<int(lua_State* thread, const Suspension& suspension, bool met)>;
  int await(std::unique_ptr<Suspension> suspension, Answer answer);
  /// Waits for a condition. When it holds, `then` pushes the results of the verb and returns their
  /// number, or waits for something else and returns kSuspend.
  using Then = std::function<int(lua_State* thread)>;
  int suspend_until(std::unique_ptr<Suspension> condition, int line, Then then = {});
  /// Makes a condition that must hold within that time.
  std::unique_ptr<Condition> condition(base::nanoseconds within, std::string expected,
                                       std::function<Condition::Status()> ask);

  /// Puts an action on the timeline.
  void act(capture::Action action);
  /// Runs the function of the lab:when in that line in a coroutine of its own, with the event as
  /// its argument, and to its end: it may not wait. `function` is its reference in Lua's registry.
  void act(int line, int function, const capture::Event* event);
  /// Pushes an event as a table, with times in seconds since the run began.
  void push_event(lua_State* thread, const capture::Event& event) const;
  /// The same for the decisive event, which there must be, with what was measured.
  void push_decisive(lua_State* thread, const Suspension& suspension) const;
  /// The statements that the script has begun and not finished.
  Unfinished& unfinished() { return unfinished_; }
  /// The times that lab:timer has computed.
  ComputedTimes& computed_times() { return computed_times_; }

  void call_failed(const std::exception& error) override;

private:
  void resume(int arguments);
  void script_returned();
  void judge_injections();
  void require_may_wait() const;
  void settled(const Suspension& suspension, bool met);
  using Failure = std::pair<RunStatus, std::string>;
  Failure failure_of(lua_State* thread, int status);
  int push_result(const Suspension& suspension);

  Script& script_;
  lab::Laboratory& laboratory_;
  Waiter waiter_;
  Handlers handlers_;
  Verdicts verdicts_;
  lua_State* thread_ = nullptr;  // null: no coroutine runs
  bool is_acting_ = false;       // a function of lab:when runs
  bool session_goes_on_ = false;
  std::optional<Failure> stray_end_;  // between two coroutines
  Then then_;
  Answer answer_;
  Unfinished unfinished_;
  ComputedTimes computed_times_;
  std::exception_ptr fatal_;  // thrown by a bound function; not the script's fault
};

/// The context that a verb was called in.
ScriptContext& context_of(const LuaCall& call);

}  // namespace tcplab::app
