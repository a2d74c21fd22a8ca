// The life of a run: it introduces itself on the timeline, checks what the script needs, runs the
// loop, and ends with an outcome. What runs in between is a scenario (Experiment) or the lines of a
// shell (shell/session).
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/script/script_context.hh"
#include "lab/programs/pipe_reader.hh"

namespace tcplab::app {

/// How much later than by the kernel's own formula things may come on a busy machine.
inline constexpr base::nanoseconds kUsualSlack = std::chrono::milliseconds(500);

class ScriptedRun {
public:
  virtual ~ScriptedRun() = default;
  ScriptedRun(const ScriptedRun&) = delete;
  ScriptedRun& operator=(const ScriptedRun&) = delete;

  /// Reads from that pipe the reason why the run must end at once (RunGuard).
  void heed(base::FileDescriptor guard);
  /// Runs the script to its end. Throws nothing: the result says what went wrong.
  RunStatus run();
  const std::string& reason() const { return reason_; }
  /// What programs wrote on standard error, if the script was wrong: it may be the cause.
  const std::vector<capture::Verdict::LastLines>& last_lines() const { return last_lines_; }
  /// The last verdict, if it failed.
  const std::optional<capture::Verdict>& failed_verdict() const {
    return context_.verdicts().failed();
  }

  lab::Laboratory& laboratory() { return laboratory_; }
  ScriptContext& context() { return context_; }

protected:
  ScriptedRun(Script script, const lab::LaboratoryConfig& config, base::nanoseconds slack);

  Script& script() { return script_; }
  /// Called once, when all needs are met and before the loop runs.
  virtual void begin() = 0;
  /// Ends the run. The first reason stays.
  void finish(RunStatus status, std::string reason);

private:
  void check_needs();
  void limit_time();
  void limit_real_time();
  capture::RunStart run_start() const;
  void append_stepping_note();
  void end_run();

  Script script_;
  lab::Laboratory laboratory_;
  ScriptContext context_;
  std::optional<RunStatus> status_;
  std::string reason_;
  std::vector<capture::Verdict::LastLines> last_lines_;
  std::unique_ptr<lab::Alarm> timeout_;
  boost::asio::steady_timer real_timeout_;
  std::unique_ptr<lab::PipeReader> guard_;
};

}  // namespace tcplab::app
