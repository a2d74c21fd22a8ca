#include "app/audit/audit_run.hh"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <optional>
#include <set>

#include "app/audit/audit_files.hh"
#include "app/audit/baseline_problem.hh"
#include "app/audit/output_template.hh"
#include "app/catalogue/catalogue.hh"
#include "app/suite/retell.hh"
#include "base/error.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

using namespace std::chrono_literals;

constexpr const char* kBaseline = "baseline";
constexpr const char* kSecondBaseline = "second-baseline";  // the folder of its run
constexpr std::size_t kMostJobs = 1024;
constexpr std::chrono::seconds kUsualLimit = 300s;
constexpr base::nanoseconds kStart = 5min;  // what a run may take besides its limit

/// A cell of the matrix. Its case is called "SIDE.FAILURE.MOMENT": "server.power-off.waiting".
struct CellName {
  std::string failure;
  std::string moment;
};

/// Shows the last line of a server that does not listen yet.
class BaselineObserver : public SuiteObserver {
public:
  explicit BaselineObserver(bool tells) : tells_(tells) {}

  void started(std::size_t, base::Instant) override {}
  void waits(std::size_t, const std::string&) override {}
  void event(std::size_t, const capture::Event& event) override {
    const auto* note = std::get_if<capture::AuditNote>(&event.body);
    if (note == nullptr || note->step != capture::AuditStep::starting || !tells_) return;
    tells_ = false;
    std::cerr << "The server does not listen yet; it has written: "
              << reports::printable(note->text) << "\n";
  }
  void finished(std::size_t, const reports::RunResult&) override {}
  void state(const std::string&) override {}
  void tick(base::Instant) override {}

private:
  bool tells_;
};

CellName cell_name(const ScriptInfo& info) {
  const std::string& name = info.case_name;
  const std::size_t first = name.find('.');
  const std::size_t last = name.rfind('.');
  if (first == std::string::npos || first == last)
    throw base::UsageError(info.file + ": the case " + name +
                           " is no cell of an audit; see docs/audit.md");
  return {name.substr(first + 1, last - first - 1), name.substr(last + 1)};
}

bool has(const std::vector<std::string>& chosen, const std::string& name) {
  return chosen.empty() || std::ranges::find(chosen, name) != chosen.end();
}

/// Throws for a name that no cell has.
void require_known(const std::string& option, const std::vector<std::string>& chosen,
                   const std::set<std::string>& known) {
  for (const std::string& name : chosen)
    if (!known.contains(name))
      throw base::UsageError(fmt::format("{} {}: there is no such cell; choose from {}", option,
                                         name, fmt::join(known, ", ")));
}

class AuditRunner {
public:
  explicit AuditRunner(const AuditOrder& order)
      : order_(order), scenarios_(scenarios_of({order.script})) {
    // The baseline tells the limit of its script.
    runs_.limit = std::max(order.limit.value_or(kUsualLimit), order.baseline_within);
  }

  AuditedRuns run(const MakeObserver& make_observer) {
    std::optional<Baseline> measured = run_baseline();
    if (!measured || !mask(*measured)) return std::move(runs_);
    const Baseline& baseline = *measured;
    runs_.limit = baseline.limit;
    const std::vector<RunPlan> plans = plan(cells(baseline), parameters_of(baseline));
    if (plans.empty()) throw base::UsageError("no cell of the audit can be tried: " + reasons());
    const auto observer = make_observer(plans, runs_.limit);
    const std::size_t jobs = order_.jobs == 0 ? std::min(plans.size(), kMostJobs) : order_.jobs;
    runs_.title = Script(order_.script).info().title;
    runs_.suite = run_suite(plans, {.jobs = jobs}, *observer);
    for (const reports::RunResult& result : runs_.suite.record.results)
      if (has_events(result.directory)) runs_.cells.emplace_back(result.directory);
    return std::move(runs_);
  }

private:
  std::vector<RunPlan> plan(const std::vector<ScriptInfo>& scripts,
                            std::map<std::string, std::string> parameters) const {
    return plan(scripts, std::move(parameters), order_.out);
  }

  std::vector<RunPlan> plan(const std::vector<ScriptInfo>& scripts,
                            std::map<std::string, std::string> parameters,
                            const std::filesystem::path& out) const {
    if (order_.limit) parameters["limit"] = std::to_string(order_.limit->count());
    parameters["baseline_within"] = std::to_string(order_.baseline_within.count());
    if (order_.ready_within) parameters["ready"] = std::to_string(order_.ready_within->count());
    parameters["client_options"] = order_.client_options;
    parameters["server_options"] = order_.server_options;
    return plan_runs(scripts, {.families = {order_.family},
                               .timers = order_.timers,
                               .limits = limits(),
                               .is_trusted = order_.is_trusted,
                               .parameters = std::move(parameters),
                               .on = order_.on,
                               .out = out});
  }

  lab::RunLimits limits() const {
    lab::RunLimits limits = lab::usual_limits();
    limits.timeout = 2 * runs_.limit + kStart;
    limits.seconds =
        static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(limits.timeout).count());
    limits.command = "tcplab audit";
    limits.timeout_option = "--limit TIME";
    for (const std::string& each : order_.limits) lab::set_limit(limits, each);
    return limits;
  }

  /// Runs the baseline a second time, later and slower, and masks the parts of its answer that
  /// differ by themselves. Returns false if a signal has ended it.
  bool mask(Baseline& baseline) {
    if (!baseline.ends || baseline.answer.empty()) return true;
    const auto found = std::ranges::find(scenarios_, kBaseline, &ScriptInfo::case_name);
    const std::vector<RunPlan> plans =
        plan({*found}, {{"again", "yes"}}, order_.out.parent_path() / kSecondBaseline);
    BaselineObserver quiet(false);
    SuiteResult suite = run_suite(plans, {.jobs = 1}, quiet);
    if (suite.exit_status > 128) {
      runs_.suite = std::move(suite);
      return false;
    }
    if (!has_events(plans.front().folder)) return true;
    const Baseline second = measure(read_events(plans.front().folder));
    if (!second.ends || second.status != baseline.status) return true;
    OutputTemplate made = template_of(baseline.answer, second.answer);
    baseline.answer = std::move(made.text);
    baseline.is_masked = !made.masks.empty();
    runs_.masks = std::move(made.masks);
    return true;
  }

  /// Empty if a signal has ended it.
  std::optional<Baseline> run_baseline() {
    const auto found = std::ranges::find(scenarios_, kBaseline, &ScriptInfo::case_name);
    if (found == scenarios_.end())
      throw base::UsageError(order_.script +
                             ": not an audit; tcplab audit --init writes one to begin with");
    const std::vector<RunPlan> plans = plan({*found}, {});
    if (plans.empty())
      throw base::UsageError(order_.script + ": it does not run on this IP version");
    BaselineObserver observer(true);
    SuiteResult suite = run_suite(plans, {.jobs = 1}, observer);
    if (suite.exit_status > 128 || suite.record.results.empty()) {
      runs_.suite = std::move(suite);
      return std::nullopt;
    }
    const reports::RunResult& result = suite.record.results.front();
    runs_.baseline = plans.front().folder;
    require_success(result);
    return measure(read_events(runs_.baseline));
  }

  void require_success(const reports::RunResult& result) const {
    const bool has_run =
        result.outcome == capture::Outcome::passed || result.outcome == capture::Outcome::failed;
    if (result.outcome == capture::Outcome::broken) throw base::LabError(result.reason);
    if (!has_run) throw base::UsageError(result.reason);
    const std::string problem = problem_of(read_events(runs_.baseline), order_.port);
    if (!problem.empty()) throw base::UsageError(problem);
    if (result.outcome == capture::Outcome::failed)
      throw base::UsageError("the run without a failure failed: " + result.reason +
                             "; tcplab show " + runs_.baseline.string());
  }

  /// The cells that were chosen and can come, in the order of the script.
  std::vector<ScriptInfo> cells(const Baseline& baseline) {
    std::vector<ScriptInfo> chosen;
    std::set<std::string> failures;
    std::set<std::string> seen;
    for (const ScriptInfo& info : scenarios_) {
      if (info.case_name == kBaseline) continue;
      const auto [failure, moment] = cell_name(info);
      failures.insert(failure);
      seen.insert(moment);
      if (!has(order_.failures, failure) || !has(order_.moments, moment)) continue;
      const std::string why = obstacle_to(moment, baseline);
      if (why.empty())
        chosen.push_back(info);
      else
        leave_out(moment, why);
    }
    require_known("--failure", order_.failures, failures);
    require_known("--moment", order_.moments, seen);
    return chosen;
  }

  void leave_out(const std::string& moment, const std::string& why) {
    const auto known = std::ranges::find(runs_.left_out, moment, &LeftOut::moment);
    if (known == runs_.left_out.end()) runs_.left_out.push_back({moment, why});
  }

  std::string reasons() const {
    std::string text;
    for (const LeftOut& one : runs_.left_out)
      text += (text.empty() ? "" : "; ") + one.moment + ": " + one.why;
    return text;
  }

  const AuditOrder& order_;
  std::vector<ScriptInfo> scenarios_;
  AuditedRuns runs_;
};

}  // namespace

AuditedRuns run_audit(const AuditOrder& order, const MakeObserver& make_observer) {
  return AuditRunner(order).run(make_observer);
}

}  // namespace tcplab::app
