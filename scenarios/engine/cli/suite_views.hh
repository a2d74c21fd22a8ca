// How a suite shows itself: as lines of progress, or as ladders that grow. Both observe it.
#pragma once

#include <chrono>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "reports/ladder/ladder.hh"
#include "reports/suite/progress.hh"
#include "scenarios/engine/suite/suite.hh"

namespace tcplab::engine {

/// How late the pipe of a program may tell of a call: a live view waits so long before it draws.
inline constexpr base::nanoseconds kLateness = std::chrono::milliseconds(100);

/// What stands below the ladder of a run that has ended otherwise than well; `has_end` where the
/// ladder has the run's end, which says what there is to say of one that no expectation failed.
void tell_result(std::ostream& out, const reports::RunResult& result, bool has_end);

/// To somebody at a terminal, or in a CI job's log.
class ProgressView : public SuiteObserver {
public:
  /// `descriptor` is what the stream writes to.
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

/// One run after the other, each as a ladder that grows while it happens.
class LiveView : public SuiteObserver {
public:
  /// `descriptor` is what the stream writes to.
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
  bool has_end_ = false;  // the ladder has told how it ended
};

}  // namespace tcplab::engine
