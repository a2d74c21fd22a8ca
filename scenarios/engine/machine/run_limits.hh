// What one run may use: time, events, output of its programs, faults, programs and memory. A run
// that passes a limit ends as broken, so that a runaway program or script does not fill the disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hh"

namespace tcplab::engine {

/// Zero means no limit.
struct RunLimits {
  base::nanoseconds timeout{};
  std::uint64_t events = 0;    // on the timeline
  std::uint64_t output = 0;    // bytes that the programs write to stdout and stderr
  std::uint64_t faults = 0;    // at the same time
  std::uint64_t programs = 0;  // started in the run
  std::uint64_t memory = 0;    // bytes of the run's own process
  std::uint64_t seconds = 0;   // of real time, on a clock that jumps
};

/// Returns the limits of `tcplab run`, without a timeout.
RunLimits usual_limits();

/// Takes "output=256M" (--limit): a number for a name, with K, M or G for a power of 1024, or 0 for
/// no limit. Throws base::UsageError that lists the names.
void set_limit(RunLimits& limits, const std::string& assignment);

/// Compares what a run uses with a limit. Throws base::LabError once; the end of the run may then
/// use more.
class Budget {
public:
  /// `subject`: "the run recorded more than {} events"; `name`: as for --limit.
  Budget(std::string_view subject, std::string_view name, std::uint64_t limit)
      : subject_(subject), name_(name), limit_(limit) {}

  void spend(std::uint64_t amount) { check(spent_ += amount); }
  /// The same for a use that can shrink again.
  void check(std::uint64_t used);

private:
  std::string_view subject_;
  std::string_view name_;
  std::uint64_t limit_;
  std::uint64_t spent_ = 0;
  bool is_over_ = false;
};

/// The budgets of a run.
struct Budgets {
  explicit Budgets(const RunLimits& limits);

  Budget events;
  Budget output;
  Budget faults;
  Budget programs;
  Budget memory;
};

/// Returns the resident memory of this process, in bytes (proc_pid_statm(5)).
std::uint64_t resident_memory();

}  // namespace tcplab::engine
