// A suite while it runs. On a terminal: the finished runs, and below them a region that is redrawn:
// what runs, for how long, and what it waits for. Elsewhere: a line for each finished run. Then a
// closing summary. Every time is the caller's, counted from the start of the suite.
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

  /// Of the runs that will be made: how many, and the columns of the longest.
  struct Runs {
    int total = 0;
    int name_width = 28;
    int variant_width = 12;
  };

  /// The stream outlives the progress.
  Progress(std::ostream& out, const Style& style, bool is_terminal, const Runs& runs);

  /// `run` is the caller's number for it, until it has finished.
  void started(int run, const std::string& name, const std::string& variant, Time now);
  /// What it waits for now; shown at the next tick.
  void waits(int run, const std::string& what);
  void finished(int run, const RunResult& result, Time now);
  /// Lines for the reader, each with its line feed, above the region.
  void note(const std::string& text, Time now) { redraw(text, now); }
  /// Redraws the elapsed times. A few times a second is enough.
  void tick(Time now);
  /// Takes the region away and writes what failed, and the last line; `not_run` will not come.
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
  std::vector<RunResult> trouble_;     // the first that failed or broke, without their verdicts
  std::vector<std::string> findings_;  // of runs that passed, too
  Counts counts_;
  int region_lines_ = 0;
};

}  // namespace tcplab::reports
