// Runs a suite: each run in its own process and run space, at most `jobs` at once. Runs mostly
// wait, so a suite takes about as long as its slowest scenario. A run whose lab stood still while
// others ran has no verdict: it runs a second time, alone, after the others. Single-threaded.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "app/suite/run_control.hh"
#include "app/suite/run_plan.hh"
#include "lab/record/capture_stream.hh"
#include "reports/suite/suite_record.hh"

namespace tcplab::app {

/// Watches the runs of a suite. `run` is the index of the plan.
class SuiteObserver {
public:
  virtual ~SuiteObserver() = default;
  /// Called before the first run.
  virtual void begins(boost::asio::io_context& /*loop*/) {}
  /// Called when the suite ends, also after an exception, and possibly more than once. Cancel
  /// everything that waits on the loop.
  virtual void ends() {}
  /// Called a second time, without finished() before, for a run whose lab stood still.
  virtual void started(std::size_t run, base::Instant at) = 0;
  /// Passes the control of a run, if SuiteOptions::controlled is set. It lives until the run has
  /// finished, or the suite has ended.
  virtual void controls(std::size_t /*run*/, RunControl& /*control*/) {}
  virtual void waits(std::size_t run, const std::string& what) = 0;
  virtual void event(std::size_t run, const capture::Event& event) = 0;
  /// Passes any other message of the run (RunChannelWriter::say).
  virtual void said(std::size_t /*run*/, const RunMessage& /*message*/) {}
  virtual void finished(std::size_t run, const reports::RunResult& result) = 0;
  /// Passes the answer to SIGUSR1: lines, each with its line feed.
  virtual void state(const std::string& text) = 0;
  /// Called 20 times a second, so that a live view can redraw.
  virtual void tick(base::Instant now) = 0;
};

struct SuiteOptions {
  std::size_t jobs = 16;
  bool every_event = false;
  bool controlled = false;        // give the observer a RunControl for each run
  lab::CaptureCopy capture{};     // a copy of the capture, if there is only one run
  std::size_t most_failures = 0;  // stop the suite after this many failures; 0: never
};

struct SuiteResult {
  reports::SuiteRecord record;
  int exit_status = 0;  // 0 to 4 as in tcplab(1); 128 + the signal that interrupted the suite
};

/// Runs the plans, and returns when all have ended. Throws base::LabError if a run cannot start.
SuiteResult run_suite(const std::vector<RunPlan>& plans, const SuiteOptions& options,
                      SuiteObserver& observer);

}  // namespace tcplab::app
