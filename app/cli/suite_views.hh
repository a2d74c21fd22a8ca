// Show a suite while it runs: as lines of progress, or as growing ladders.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/suite/run_time.hh"
#include "app/suite/suite.hh"
#include "reports/ladder/ladder.hh"
#include "reports/suite/progress.hh"

namespace tcplab::app {

/// Prints the failure text of a run, below its ladder. If there is none, and the ladder does not
/// show this end of the run (`has_end` is false), prints the outcome and its reason.
void tell_result(std::ostream& out, const reports::RunResult& result, bool has_end);

/// Shows progress at a terminal, or in the log of a CI job.
class ProgressView : public SuiteObserver {
public:
  /// `descriptor` is the file that `out` writes to.
  ProgressView(const std::vector<RunPlan>& plans, std::ostream& out, int descriptor);

  void started(std::size_t run, base::Instant at) override;
  void waits(std::size_t run, const std::string& what) override;
  void event(std::size_t, const capture::Event&) override {}
  void finished(std::size_t run, const reports::RunResult& result) override;
  void state(const std::string& text) override;
  void tick(base::Instant now) override { progress_.tick(now - began_); }
  void summary(const reports::SuiteRecord& suite);

private:
  const std::vector<RunPlan>& plans_;
  bool is_terminal_;
  base::Instant began_ = base::now();
  reports::Progress progress_;
};

/// Shows one run after the other, each as a growing ladder.
class LiveView : public SuiteObserver {
public:
  /// `descriptor` is the file that `out` writes to.
  LiveView(bool verbose, std::ostream& out, int descriptor);

  void started(std::size_t run, base::Instant at) override;
  void waits(std::size_t, const std::string&) override {}
  void event(std::size_t run, const capture::Event& event) override;
  void finished(std::size_t run, const reports::RunResult& result) override;
  void state(const std::string& text) override;
  void tick(base::Instant now) override;

private:
  std::ostream& out_;
  reports::Style style_;
  std::unique_ptr<reports::Ladder> ladder_;
  RunTime time_;
  std::optional<capture::Outcome> end_{};  // what the ladder shows; later, a disk may be full
};

}  // namespace tcplab::app
