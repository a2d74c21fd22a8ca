#include "app/suite/run_guard.hh"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

// A look takes 20 microseconds for each process of the machine. It takes at most 2 % of the time;
// 20 % while the machine's use grows so much that a run may have passed a limit. Otherwise looks
// are rare.
constexpr base::nanoseconds kLookPause = 1s;
constexpr int kLookPauses = 50;
constexpr int kShortLookPauses = 4;

// A run has this time to write its files.
constexpr base::nanoseconds kLongestEnding = 2s;
constexpr base::nanoseconds kGraceTime = 5s;  // after the time limit that the run itself keeps

constexpr const char* kOfOne = "the run's programs ";
constexpr const char* kOfAll = "the programs of all current runs, this one's above all, ";
constexpr const char* kHadProcesses = "had more than {} processes and threads";

bool exceeds(std::uint64_t used, std::uint64_t limit) { return limit != 0 && used > limit; }

std::uint64_t growth_from(std::uint64_t from, std::uint64_t to) {
  return to > from ? to - from : 0;
}

/// How long the run may take in real time; zero for no limit.
base::nanoseconds longest_time(const GuardedRun& run) {
  if (run.is_stepped) return {};
  return run.has_virtual_clock ? std::chrono::seconds(run.limits.seconds) : run.limits.timeout;
}

std::string passed_time(const GuardedRun& run) {
  return run.has_virtual_clock ? lab::passed_seconds(run.limits, run.awaited())
                               : lab::passed_timeout(run.limits, run.awaited());
}

}  // namespace

void RunGuard::add(GuardedRun run) {
  if (runs_.empty()) {  // it uses nothing yet
    machine_ = lab::look_at_machine();
    next_ = base::now() + kLookPause;
    soonest_ = {};
  }
  runs_.push_back({.run = std::move(run), .started = base::now()});
}

void RunGuard::remove(pid_t process) {
  std::erase_if(runs_, [&](const Watched& each) { return each.run.process == process; });
}

void RunGuard::tick() {
  const base::Instant now = base::now();
  for (Watched& watched : runs_) end_late(watched, now);
  if (!runs_.empty() && is_due(now)) look();
}

/// Kills a run that was told to end and goes on, or that does not keep its time limit.
void RunGuard::end_late(Watched& watched, base::Instant now) {
  const base::nanoseconds most = longest_time(watched.run);
  const bool is_late = most.count() != 0 && now - watched.started > most + kGraceTime;
  if (is_late && watched.reason.empty()) watched.reason = passed_time(watched.run);
  const bool was_told = watched.told != base::Instant{};
  if (is_late || (was_told && now - watched.told > kLongestEnding)) kill(watched);
}

void RunGuard::kill(Watched& watched) {
  if (std::exchange(watched.is_killed, true)) return;
  watched.run.on_kill(watched.reason);
  ::kill(watched.run.process, SIGKILL);
}

/// With many runs, all of them together may have more processes than one run may.
std::uint64_t RunGuard::most_processes() const {
  const std::uint64_t of_one = runs_.front().run.limits.processes;  // the same for all
  return of_one == 0 ? 0 : std::max(of_one, possible_processes_ / 2);
}

std::uint64_t RunGuard::total(Used used) const {
  std::uint64_t sum = 0;
  for (const Watched& each : runs_) sum += each.usage.*used;
  return sum;
}

/// Returns whether a run may have passed a limit since the last look.
bool RunGuard::may_have_passed() const {
  const lab::MachineUsage machine = lab::look_at_machine();
  const std::uint64_t memory = growth_from(machine_.memory, machine.memory);
  const std::uint64_t processes = growth_from(machine_.processes, machine.processes);
  const auto one_passes = [&](const Watched& each) {
    return exceeds(each.usage.memory + memory, each.run.limits.memory) ||
           exceeds(each.usage.processes + processes, each.run.limits.processes);
  };
  return exceeds(total(&lab::RunUsage::processes) + processes, most_processes()) ||
         exceeds(total(&lab::RunUsage::program_memory) + memory,
                 runs_.front().run.limits.program_memory) ||
         std::ranges::any_of(runs_, one_passes);
}

bool RunGuard::is_due(base::Instant now) const {
  return now >= next_ || (now >= soonest_ && may_have_passed());
}

void RunGuard::look() {
  const base::Instant began = base::now();
  machine_ = lab::look_at_machine();
  const lab::ProcessTable table;
  for (Watched& each : runs_) each.usage = table.usage_of(each.run.process, lab::Counting::quick);
  if (exceeds(total(&lab::RunUsage::program_memory), runs_.front().run.limits.program_memory))
    for (Watched& each : runs_) each.usage = table.usage_of(each.run.process, lab::Counting::exact);
  judge();
  const base::Instant ended = base::now();
  next_ = ended + std::max(kLookPause, kLookPauses * (ended - began));
  soonest_ = ended + kShortLookPauses * (ended - began);
}

void RunGuard::judge() {
  for (Watched& each : runs_) {
    const lab::RunLimits& limits = each.run.limits;
    if (exceeds(each.usage.memory, limits.memory))
      tell(each, &lab::RunUsage::memory,
           lab::passed_limit(lab::kMemorySubject, "memory", limits.memory, limits.command));
    if (exceeds(each.usage.processes, limits.processes))
      tell(each, &lab::RunUsage::processes,
           lab::passed_limit(std::string(kOfOne) + kHadProcesses, "processes", limits.processes,
                             limits.command));
    if (each.passed != nullptr && each.usage.*each.passed > each.ceiling) kill(each);
  }
  judge_together(&lab::RunUsage::processes, most_processes(), kHadProcesses, "processes");
  judge_together(&lab::RunUsage::program_memory, runs_.front().run.limits.program_memory,
                 "used more than {} bytes of memory", "program-memory");
}

/// Ends one run, the one that uses the most, if all runs together use too much. As long as it has
/// not ended, the others need not end, too.
void RunGuard::judge_together(Used used, std::uint64_t most, const char* predicate,
                              const char* name) {
  const auto must_end = [](const Watched& each) { return !each.reason.empty(); };
  if (!exceeds(total(used), most) || std::ranges::any_of(runs_, must_end)) return;
  Watched& greatest =
      *std::ranges::max_element(runs_, {}, [&](const Watched& each) { return each.usage.*used; });
  const bool is_alone = greatest.usage.*used > most;
  tell(greatest, used,
       lab::passed_limit(std::string(is_alone ? kOfOne : kOfAll) + predicate, name, most,
                         greatest.run.limits.command));
}

/// The socket is empty, so send(2) does not block. A run that has closed its end of it is over, and
/// writes its files.
void RunGuard::tell(Watched& watched, Used used, const std::string& reason) {
  if (!watched.reason.empty()) return;
  const ssize_t size = ::send(watched.run.socket.get(), reason.data(), reason.size(), MSG_NOSIGNAL);
  if (size == -1 && errno == EPIPE) return;
  watched.reason = reason;
  watched.told = base::now();
  watched.passed = used;
  watched.ceiling = watched.usage.*used * 5 / 4;
  if (size == -1) kill(watched);
}

}  // namespace tcplab::app
