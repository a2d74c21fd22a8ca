#include "app/audit/audit_progress.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace tcplab::app {

namespace {

using namespace std::chrono_literals;

constexpr base::nanoseconds kLineEvery = 30s;
constexpr base::nanoseconds kRedrawEvery = 500ms;
constexpr std::size_t kMostNamed = 2;

base::nanoseconds whole_seconds(base::nanoseconds span) {
  return std::chrono::floor<std::chrono::seconds>(span);
}

}  // namespace

AuditProgress::AuditProgress(const std::vector<RunPlan>& plans,
                             std::optional<base::nanoseconds> limit, std::ostream& out,
                             bool is_terminal)
    : plans_(plans),
      limit_(limit),
      out_(out),
      is_terminal_(is_terminal),
      next_line_(began_ + (is_terminal ? 0ns : kLineEvery)) {}

void AuditProgress::started(std::size_t run, base::Instant at) { running_[run] = at; }

void AuditProgress::finished(std::size_t run, const reports::RunResult& result) {
  running_.erase(run);
  ++done_;
  if (result.outcome == capture::Outcome::passed) return;
  erase();
  out_ << "  " << plans_[run].script.title << ": " << result.reason << "\n" << std::flush;
}

void AuditProgress::state(const std::string& text) {
  erase();
  out_ << text << std::flush;
}

/// "83 of 130 done after 62 s, 47 wait for at most 238 s: server: power off, waiting ..."
std::string AuditProgress::line(base::Instant now) const {
  std::string text = fmt::format("{} of {} done after {}", done_, plans_.size(),
                                 base::describe(whole_seconds(now - began_)));
  if (running_.empty()) return text;
  base::Instant newest{};
  std::string names;
  std::size_t named = 0;
  for (const auto& [run, since] : running_) {
    newest = std::max(newest, since);
    if (named++ < kMostNamed) names += (names.empty() ? ": " : "; ") + plans_[run].script.title;
  }
  if (const std::size_t left_to_start = plans_.size() - done_ - running_.size(); left_to_start > 0)
    text += fmt::format(", {} not started", left_to_start);
  text += limit_ ? fmt::format(", {} wait for at most {}", running_.size(),
                               base::describe(std::max(whole_seconds(newest + *limit_ - now), 0ns)))
                 : fmt::format(", {} run", running_.size());
  return text + names + (named > kMostNamed ? "; ..." : "");
}

void AuditProgress::tick(base::Instant now) {
  if (now < next_line_) return;
  next_line_ = now + (is_terminal_ ? kRedrawEvery : kLineEvery);
  erase();
  out_ << line(now).substr(0, is_terminal_ ? 79 : std::string::npos);
  if (!is_terminal_) out_ << "\n";
  out_ << std::flush;
  has_line_ = is_terminal_;
}

void AuditProgress::ends() { erase(); }

void AuditProgress::erase() {
  if (!has_line_) return;
  out_ << "\r\033[K" << std::flush;
  has_line_ = false;
}

}  // namespace tcplab::app
