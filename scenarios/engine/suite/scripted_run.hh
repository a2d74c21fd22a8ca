// The life of a run: it introduces itself on the timeline, checks what the script needs, runs the
// loop, and ends with an outcome. What runs in between is a scenario (Experiment) or the lines of a
// shell (shell/session).
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/engine/script/script_context.hh"

namespace tcplab::engine {

/// How much later than by the kernel's own formula things may come on a busy machine.
inline constexpr base::nanoseconds kUsualSlack = std::chrono::milliseconds(500);

class ScriptedRun {
public:
  virtual ~ScriptedRun() = default;
  ScriptedRun(const ScriptedRun&) = delete;
  ScriptedRun& operator=(const ScriptedRun&) = delete;

  /// Runs the script to its end. Throws nothing: the result says what went wrong.
  RunStatus run();
  const std::string& reason() const { return reason_; }
  /// What programs wrote on standard error, if the script was wrong: it may be the cause.
  const std::vector<capture::Verdict::LastLines>& last_lines() const { return last_lines_; }
  /// The last verdict, if it failed.
  const std::optional<capture::Verdict>& failed_verdict() const {
    return context_.failed_verdict();
  }

  Laboratory& laboratory() { return laboratory_; }
  ScriptContext& context() { return context_; }

protected:
  ScriptedRun(Script script, const LaboratoryConfig& config, base::nanoseconds slack);

  Script& script() { return script_; }
  /// Called once, when all needs are met and before the loop runs.
  virtual void begin() = 0;
  /// Ends the run. The first reason stays.
  void finish(RunStatus status, std::string reason);

private:
  void check_needs();
  void limit_time();
  void limit_real_time();
  std::string meanwhile() const;
  capture::RunStart run_start() const;
  void append_stepping_note();
  void end_run();

  Script script_;
  Laboratory laboratory_;
  ScriptContext context_;
  std::optional<RunStatus> status_;
  std::string reason_;
  std::vector<capture::Verdict::LastLines> last_lines_;
  std::unique_ptr<Alarm> timeout_;
  boost::asio::steady_timer real_timeout_;
};

}  // namespace tcplab::engine
