// Runs many: each in a process and a run space of its own, `jobs` at a time. They mostly wait,
// so a suite takes about as long as its slowest scenario. Single-threaded.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "reports/suite/suite_record.hh"
#include "scenarios/engine/lab/capture_stream.hh"
#include "scenarios/engine/suite/run_control.hh"
#include "scenarios/engine/suite/run_plan.hh"

namespace tcplab::engine {

/// How a run shows itself while it goes on. `run` counts from 0, in the order of the plans.
class SuiteObserver {
public:
  virtual ~SuiteObserver() = default;
  /// Before the first run; and when there is nothing more to come, however that came about, and
  /// maybe more than once: what waits on the loop must go.
  virtual void begins(boost::asio::io_context& /*loop*/) {}
  virtual void ends() {}
  virtual void started(std::size_t run, base::Instant at) = 0;
  /// Where the runs are to be controlled: lives until the run has finished, or the suite has ended.
  virtual void controls(std::size_t /*run*/, RunControl& /*control*/) {}
  virtual void waits(std::size_t run, const std::string& what) = 0;
  virtual void event(std::size_t run, const capture::Event& event) = 0;
  /// Anything else that the run says (RunChannelWriter::say).
  virtual void said(std::size_t /*run*/, const RunMessage& /*message*/) {}
  virtual void finished(std::size_t run, const reports::RunResult& result) = 0;
  /// Somebody asked (SIGUSR1) what is going on; lines, each with its line feed.
  virtual void state(const std::string& text) = 0;
  /// Several times a second, so that a live view can move.
  virtual void tick(base::Instant now) = 0;
};

struct SuiteOptions {
  std::size_t jobs = 16;
  bool every_event = false;
  bool controlled = false;        // the observer can tell each run something
  CaptureCopy capture{};          // of the only run's
  std::size_t most_failures = 0;  // so many, and the suite ends; 0: whatever happens, it goes on
};

struct SuiteResult {
  reports::SuiteRecord record;
  int exit_status = 0;  // 0, 1, 2, 3, 4 as in the design; 128 + the signal that interrupted it
};

/// Throws base::LabError where no run can be started at all.
SuiteResult run_suite(const std::vector<RunPlan>& plans, const SuiteOptions& options,
                      SuiteObserver& observer);

}  // namespace tcplab::engine
