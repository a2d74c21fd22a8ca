// The result of one run, for the reports of a suite.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "capture/event/event.hh"

namespace tcplab::reports {

struct RunResult {
  std::string name{};     // "power-cycle"
  std::string variant{};  // "IPv4, fast"
  std::string id{};       // unique in the suite: "puzzlers/power-cycle IPv4 1"
  std::string title{};
  std::string file{};  // the script
  capture::Outcome outcome = capture::Outcome::passed;
  std::string reason{};  // one line; empty if the run passed
  capture::nanoseconds duration{};
  std::vector<capture::Verdict> verdicts{};
  std::vector<capture::Unchecked> unchecked{};  // expectations that hold on newer kernels only
  std::string failure_text{};                   // describe_failure(), plain
  std::string directory{};                      // the folder of the run
  std::string kernel{};                         // uname -r
  std::vector<std::string> findings{};          // transitions that RFC 9293 does not have
  bool requirement_does_not_arise = false;      // RunEnd's
  std::string stalled{};  // why an earlier try has no verdict: its lab stood still; else empty
};

/// Returns whether the run failed, broke, or had a bad script. Summaries repeat these runs.
bool is_trouble(const RunResult& result);

/// Returns "2 expectations not checked: they hold since Linux 6.5"; empty if all were checked.
std::string unchecked_summary(const RunResult& result);

/// A line of a script; 0 if not known.
struct SourceLine {
  std::string file{};
  int line = 0;
};

/// Returns the line of the failed expectation. For a bad script, parses "FILE:LINE: " of the
/// reason. For a run that passed, returns its script.
SourceLine place_of(const RunResult& result);

struct Counts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  int bad_script = 0;
  int broken = 0;
  int not_run = 0;

  void count(const RunResult& result);
  int all() const { return passed + failed + skipped + bad_script + broken; }
  int trouble() const { return failed + bad_script + broken; }
};
Counts count_outcomes(std::span<const RunResult> results);

/// Returns "16 passed, 0 failed, 0 skipped in 8.1 s". Bad scripts, broken labs, and runs that did
/// not start appear only if there are any.
std::string summary_text(const Counts& counts, capture::nanoseconds wall);

}  // namespace tcplab::reports
