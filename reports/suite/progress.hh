// Shows the progress of a suite: a line for each finished run, then a summary. On a terminal, the
// current runs are below, and redrawn: for how long each runs, and what it waits for. The caller
// passes all times, counted from the start of the suite.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "reports/suite/run_result.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

class Progress {
public:
  using Time = capture::nanoseconds;

  /// The planned runs: their number, and the columns of the longest name and variant.
  struct Runs {
    int total = 0;
    int name_width = 28;
    int variant_width = 12;
  };

  /// The stream must outlive the progress.
  Progress(std::ostream& out, const Style& style, bool is_terminal, const Runs& runs);

  /// Adds a run. `run` is the caller's number of it.
  void started(int run, const std::string& name, const std::string& variant, Time now);
  /// Sets what the run waits for. The next tick shows it.
  void waits(int run, const std::string& what);
  void finished(int run, const RunResult& result, Time now);
  /// Prints whole lines above the region.
  void note(const std::string& text, Time now) { redraw(text, now); }
  /// Redraws the elapsed times. A few times a second is enough.
  void tick(Time now);
  /// Erases the region, and prints the failures and the last line. `not_run` is the number of runs
  /// that did not start.
  void summary(Time now, int not_run = 0);

  const Counts& counts() const { return counts_; }

private:
  struct Running {
    std::string name;
    std::string variant;
    Time since{};
    std::string what;
  };

  std::string erased() const;
  std::string region(Time now);
  void redraw(const std::string& above, Time now);
  StyledText running_line(const Running& run, Time now) const;
  StyledText finished_line(const RunResult& result) const;
  StyledText name_columns(const std::string& name, const std::string& variant) const;
  std::string line(const StyledText& text) const;

  std::ostream& out_;
  Style style_;
  bool is_terminal_;
  Runs runs_;
  std::map<int, Running> running_;
  std::vector<RunResult> trouble_;     // the first failures, without their verdicts
  std::vector<std::string> findings_;  // also of runs that passed
  std::vector<std::string> stalled_;   // runs of which an earlier try stood still, and why
  Counts counts_;
  int region_lines_ = 0;
};

}  // namespace tcplab::reports
