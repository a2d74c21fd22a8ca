#include "lab/machine/run_limits.hh"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hh"
#include "lab/machine/machine_share.hh"

namespace tcplab::lab {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostMemory = 4096 * kMebibyte;  // of the run's own process
// A thousand hosts have as many processes; a program of Java or Go has tens of threads.
constexpr std::uint64_t kLeastProcesses = 1000;
constexpr std::uint64_t kMostProcesses = 4096;

using Member = std::uint64_t RunLimits::*;
constexpr std::array<std::pair<std::string_view, Member>, 9> kNames{{
    {"events", &RunLimits::events},
    {"output", &RunLimits::output},
    {"faults", &RunLimits::faults},
    {"programs", &RunLimits::programs},
    {"memory", &RunLimits::memory},
    {"disks", &RunLimits::disks},
    {"seconds", &RunLimits::seconds},
    {"processes", &RunLimits::processes},
    {"program-memory", &RunLimits::program_memory},
}};

constexpr std::array<std::pair<std::string_view, unsigned>, 4> kUnits{{
    {"", 0},
    {"K", 10},
    {"M", 20},
    {"G", 30},
}};

std::optional<Member> member_of(std::string_view name) {
  for (const auto& [known, member] : kNames)
    if (known == name) return member;
  return std::nullopt;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc{}) return std::nullopt;
  for (const auto& [unit, shift] : kUnits)
    if (std::string_view(end, text.end()) == unit &&
        number <= std::numeric_limits<std::uint64_t>::max() >> shift)
      return number << shift;
  return std::nullopt;
}

/// "64 Mi" (bytes) for a multiple of 2^20, else the number.
std::string amount(std::uint64_t number) {
  if (number == 0 || number % kMebibyte != 0) return std::to_string(number);
  return std::to_string(number / kMebibyte) + " Mi";
}

std::string meanwhile(const std::string& awaited) {
  return awaited.empty() ? "" : ", while it waited for: " + awaited;
}

}  // namespace

RunLimits usual_limits() {
  // Whole mebibytes read better in a message.
  const std::uint64_t half = available_memory() / 2 / kMebibyte * kMebibyte;
  return {.timeout = {},
          .events = 5'000'000,
          .output = 64 * kMebibyte,
          .faults = 10'000,
          .programs = 10'000,
          .memory = std::min(kMostMemory, half),
          .seconds = 600,
          .processes = std::clamp(possible_processes() / 4, kLeastProcesses, kMostProcesses),
          .program_memory = half};
}

/// Far more than the limit: a run that passes it must end. A program that is refused a process
/// would go on, or fail, and nobody would know why. Sets only the soft limit: a program may raise
/// it.
void limit_processes(const RunLimits& limits) {
  const std::uint64_t most = limits.processes + kMostProcesses;
  rlimit own{};
  if (limits.processes == 0 || ::getrlimit(RLIMIT_NPROC, &own) == -1 || own.rlim_cur <= most)
    return;
  own.rlim_cur = most;
  ::setrlimit(RLIMIT_NPROC, &own);
}

void set_limit(RunLimits& limits, const std::string& assignment) {
  const auto equals = assignment.find('=');
  const auto member = member_of(std::string_view(assignment).substr(0, equals));
  const auto number = equals == std::string::npos
                          ? std::nullopt
                          : number_of(std::string_view(assignment).substr(equals + 1));
  if (!member || !number)
    throw base::UsageError(
        "--limit " + assignment +
        ": write NAME=NUMBER, for example output=256M; the names are events, output, faults, "
        "programs, memory, disks, seconds, processes and program-memory");
  limits.** member = *number;
}

std::string passed_limit(std::string_view subject, std::string_view name, std::uint64_t limit,
                         std::string_view command) {
  return fmt::format("{}; to allow more: {} --limit {}=NUMBER",
                     fmt::format(fmt::runtime(subject), amount(limit)), command, name);
}

std::string passed_timeout(const RunLimits& limits, const std::string& awaited) {
  return fmt::format("the run took longer than {}{}; to allow more: {} {}",
                     base::describe(limits.timeout), meanwhile(awaited), limits.command,
                     limits.timeout_option);
}

std::string passed_seconds(const RunLimits& limits, const std::string& awaited) {
  return fmt::format(
      "the run took longer than {} of real time{}; its clock jumps only when all programs of its "
      "hosts wait; to allow more: {} --limit seconds=NUMBER",
      base::describe(std::chrono::seconds(limits.seconds)), meanwhile(awaited), limits.command);
}

void Budget::check(std::uint64_t used) {
  if (limit_ == 0 || is_over_ || used <= limit_) return;
  is_over_ = true;
  throw base::LabError(passed_limit(subject_, name_, limit_, command_));
}

Budgets::Budgets(const RunLimits& limits)
    : events("the run recorded more than {} events", "events", limits.events, limits.command),
      output("the run's programs wrote more than {} bytes", "output", limits.output,
             limits.command),
      faults("the run had more than {} faults at once", "faults", limits.faults, limits.command),
      programs("the run started more than {} programs", "programs", limits.programs,
               limits.command),
      memory(kMemorySubject, "memory", limits.memory, limits.command) {}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tcplab::lab
