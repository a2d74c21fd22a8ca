#include "app/cli/suite_views.hh"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/cli/commands.hh"
#include "app/terminal/terminal.hh"
#include "reports/ladder/failure.hh"
#include "reports/text/frame_text.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kWidestName = 40;

reports::Progress::Runs runs_in(const std::vector<RunPlan>& plans) {
  reports::Progress::Runs runs{.total = static_cast<int>(plans.size())};
  for (const RunPlan& plan : plans) {
    runs.name_width = std::max(runs.name_width, reports::columns(plan.script.name));
    runs.variant_width = std::max(runs.variant_width, reports::columns(plan.variant));
  }
  runs.name_width = std::min(runs.name_width, kWidestName);
  return runs;
}

}  // namespace

ProgressView::ProgressView(const std::vector<RunPlan>& plans, std::ostream& out, int descriptor)
    : plans_(plans),
      is_terminal_(::isatty(descriptor) == 1),
      progress_(out, style_of(descriptor), is_terminal_, runs_in(plans)) {}

void ProgressView::started(std::size_t run, base::Instant at) {
  progress_.started(static_cast<int>(run), plans_[run].script.name, plans_[run].variant,
                    at - began_);
}

void ProgressView::waits(std::size_t run, const std::string& what) {
  progress_.waits(static_cast<int>(run), what);
}

void ProgressView::finished(std::size_t run, const reports::RunResult& result) {
  progress_.finished(static_cast<int>(run), result, base::now() - began_);
}

void ProgressView::state(const std::string& text) {
  if (is_terminal_) return progress_.note(text, base::now() - began_);
  std::cerr << text << std::flush;
}

void ProgressView::summary(const reports::SuiteRecord& suite) {
  progress_.summary(suite.wall, static_cast<int>(suite.not_run.size()));
}

void tell_result(std::ostream& out, const reports::RunResult& result, bool has_end) {
  // The ladder has been drawn already, so the last events are left out.
  const auto failed = std::ranges::find(result.verdicts, false, &capture::Verdict::passed);
  if (failed != result.verdicts.end())
    out << "\n" << reports::describe_failure(*failed, {}, {});
  else if (!result.failure_text.empty())
    out << "\n" << result.failure_text;
  if (!has_end && result.failure_text.empty())
    out << reports::outcome_word(result.outcome).text() << "\n  "
        << reports::one_line(result.reason) << "\n";
}

LiveView::LiveView(bool verbose, std::ostream& out, int descriptor)
    : out_(out), style_(style_of(descriptor)) {
  style_.verbose = verbose;
}

void LiveView::started(std::size_t, base::Instant) {
  ladder_ = std::make_unique<reports::Ladder>(out_, style_);
  time_ = {};
  end_.reset();
}

void LiveView::event(std::size_t, const capture::Event& event) {
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) end_ = end->outcome;
  time_.learn(event.at);
  ladder_->event(event);
}

void LiveView::finished(std::size_t, const reports::RunResult& result) {
  ladder_->finish();
  tell_result(out_, result, end_ == result.outcome);
  out_ << std::endl;
  ladder_.reset();
}

void LiveView::state(const std::string& text) { std::cerr << text << std::flush; }

void LiveView::tick(base::Instant now) {
  if (!ladder_) return;
  ladder_->flush(time_.at(now) - kLateness);
  out_.flush();
}

}  // namespace tcplab::app
