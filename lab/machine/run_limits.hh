// What one run may use: time, events, output of its programs, faults, programs, processes, memory
// and disks. A run that passes a limit ends as broken, so that a runaway program or script fills
// neither the disk nor the memory of the machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hh"

namespace tcplab::lab {

/// The subject of passed_limit() for RunLimits::memory.
inline constexpr std::string_view kMemorySubject = "the run used more than {} bytes of memory";

/// Zero means no limit.
struct RunLimits {
  base::nanoseconds timeout{};
  std::uint64_t events = 0;    // on the timeline
  std::uint64_t output = 0;    // bytes that the programs write to stdout and stderr
  std::uint64_t faults = 0;    // at the same time
  std::uint64_t programs = 0;  // started in the run
  std::uint64_t memory = 0;    // bytes of the run's own process
  std::uint64_t disks = std::uint64_t{1} << 30;  // bytes of all disks of its hosts
  std::uint64_t seconds = 0;                     // of real time, on a clock that jumps
  std::uint64_t processes = 0;                   // and threads, at the same time
  // Bytes of the programs of all runs of one tcplab together, and of the files that they made.
  std::uint64_t program_memory = 0;

  // For the error of a run that passes one: the command whose options change them, and the option
  // for the timeout.
  std::string_view command = "tcplab run";
  std::string_view timeout_option = "--timeout SECONDS";
};

/// Returns the limits of `tcplab run`, without a timeout. Those of processes and memory are shares
/// of what this machine has now.
RunLimits usual_limits();

/// Lets the kernel refuse this process, and all that it starts, a multiple of the limit of
/// processes (RLIMIT_NPROC). It counts all processes of a user in this user namespace, and exempts
/// the machine's root.
void limit_processes(const RunLimits& limits);

/// Takes "output=256M" (--limit): a number for a name, with K, M or G for a power of 1024, or 0 for
/// no limit. Throws base::UsageError that lists the names.
void set_limit(RunLimits& limits, const std::string& assignment);

/// Returns the reason why a run ends that has passed a limit. `subject` has {} for the amount: "the
/// run recorded more than {} events"; `name`: as for --limit; `command`: RunLimits::command.
std::string passed_limit(std::string_view subject, std::string_view name, std::uint64_t limit,
                         std::string_view command);

/// Returns the same for a run that took longer than its timeout. `awaited`: what its script waited
/// for; may be empty.
std::string passed_timeout(const RunLimits& limits, const std::string& awaited);

/// The same for a run whose clock jumps, and RunLimits::seconds.
std::string passed_seconds(const RunLimits& limits, const std::string& awaited);

/// Compares what a run uses with a limit. Throws base::LabError once; the end of the run may then
/// use more.
class Budget {
public:
  /// `subject` and `name`: as for passed_limit().
  Budget(std::string_view subject, std::string_view name, std::uint64_t limit,
         std::string_view command = RunLimits{}.command)
      : subject_(subject), name_(name), command_(command), limit_(limit) {}

  void spend(std::uint64_t amount) { check(spent_ += amount); }
  /// The same for a use that can shrink again.
  void check(std::uint64_t used);

private:
  std::string_view subject_;
  std::string_view name_;
  std::string_view command_;
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

}  // namespace tcplab::lab
