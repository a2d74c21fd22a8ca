// The results of a sample suite: one run for each outcome.
#pragma once

#include <vector>

#include "reports/suite/run_result.hh"

namespace tcplab::reports::tests {

inline std::vector<RunResult> sample_results() {
  using std::chrono::milliseconds;
  RunResult passed{.name = "power-cycle", .variant = "IPv4, fast", .title = "Power cycle"};
  passed.duration = milliseconds(1250);
  passed.directory = "out/power-cycle-4";
  passed.kernel = "6.18.5";
  capture::Verdict verdict;
  verdict.passed = true;
  verdict.expected = "kang: write returns 22";
  verdict.seen = "write(3) = 22";
  verdict.script = "power-cycle.lua";
  verdict.line = 20;
  passed.verdicts = {verdict};

  RunResult failed = passed;
  failed.variant = "IPv6, fast";
  failed.outcome = capture::Outcome::failed;
  failed.reason = "power-cycle.lua:20: kang: write returns 22";
  failed.failure_text = "✗ power-cycle.lua:20\n\n  expected  kang: write returns 22\n";
  failed.verdicts.front().passed = false;
  failed.verdicts.front().nearest = "write(3) = 21";

  RunResult skipped{.name = "power-off-same-lan", .variant = "IPv4, fast"};
  skipped.outcome = capture::Outcome::skipped;
  skipped.reason = "tcp_rto_max_ms needs Linux 6.15, this is 6.1";
  RunResult broken{.name = "warmup", .variant = "IPv4, fast"};
  broken.outcome = capture::Outcome::broken;
  broken.reason = "cannot make a TAP device: Operation not permitted (EPERM)";
  RunResult wrong{.name = "warm-up", .variant = "IPv6, fast"};
  wrong.outcome = capture::Outcome::bad_script;
  wrong.reason = "warm-up.lua:3: there is no state \"OPEN\"";
  return {passed, failed, skipped, broken, wrong};
}

}  // namespace tcplab::reports::tests
