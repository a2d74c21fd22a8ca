#include "scenarios/engine/machine/run_limits.hh"

#include <unistd.h>

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

using Member = std::uint64_t RunLimits::*;
constexpr std::array<std::pair<std::string_view, Member>, 6> kNames{{
    {"events", &RunLimits::events},
    {"output", &RunLimits::output},
    {"faults", &RunLimits::faults},
    {"programs", &RunLimits::programs},
    {"memory", &RunLimits::memory},
    {"seconds", &RunLimits::seconds},
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

}  // namespace

RunLimits usual_limits() {
  return {.timeout = {},
          .events = 5'000'000,
          .output = 64 * kMebibyte,
          .faults = 10'000,
          .programs = 10'000,
          .memory = 4096 * kMebibyte,
          .seconds = 600};
}

void set_limit(RunLimits& limits, const std::string& assignment) {
  const auto equals = assignment.find('=');
  const auto member = member_of(std::string_view(assignment).substr(0, equals));
  const auto number = equals == std::string::npos
                          ? std::nullopt
                          : number_of(std::string_view(assignment).substr(equals + 1));
  if (!member || !number)
    throw base::UsageError("--limit " + assignment +
                           ": write NAME=NUMBER, for example output=256M; the names are events, "
                           "output, faults, programs, memory and seconds");
  limits.** member = *number;
}

void Budget::check(std::uint64_t used) {
  if (limit_ == 0 || is_over_ || used <= limit_) return;
  is_over_ = true;
  throw base::LabError(fmt::format("{}; to allow more: --limit {}=NUMBER",
                                   fmt::format(fmt::runtime(subject_), amount(limit_)), name_));
}

Budgets::Budgets(const RunLimits& limits)
    : events("the run recorded more than {} events", "events", limits.events),
      output("the run's programs wrote more than {} bytes", "output", limits.output),
      faults("the run had more than {} faults at once", "faults", limits.faults),
      programs("the run started more than {} programs", "programs", limits.programs),
      memory("the run used more than {} bytes of memory", "memory", limits.memory) {}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tcplab::engine
