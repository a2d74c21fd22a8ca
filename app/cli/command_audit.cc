#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "app/audit/audit_progress.hh"
#include "app/audit/audit_results.hh"
#include "app/audit/audit_run.hh"
#include "app/audit/duration.hh"
#include "app/audit/pair_script.hh"
#include "app/cli/audit_options.hh"
#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/suite/worker.hh"
#include "app/terminal/terminal.hh"
#include "audit/option_plan.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr const char* kPlaceholder = "SERVER";
constexpr const char* kApplied = "applied";  // the folder of its runs

std::chrono::seconds duration(const std::string& text) { return *parse_duration(text); }

/// Returns the time of --limit; empty: the script's, or 300 s.
std::optional<std::chrono::seconds> time_limit(const AuditOptions& options) {
  std::vector<std::string> times = options.limits;
  std::erase_if(times, is_limit_of_a_run);
  if (times.size() > 1)
    throw base::UsageError("--limit " + times.back() + ": it already is " + times.front() +
                           "; give one time");
  if (times.empty()) return std::nullopt;
  return duration(times.front());
}

std::vector<std::string> limits_of_a_run(const AuditOptions& options, const lab::KernelChoice& on) {
  std::vector<std::string> limits;
  lab::RunLimits checked;
  for (const std::string& each : options.limits) {
    if (!is_limit_of_a_run(each)) continue;
    lab::set_limit(checked, each);
    if (each.starts_with("seconds") && !on.is_own())
      throw base::UsageError(
          "--limit seconds is for hosts whose clock jumps, --kernel VERSION; use --limit TIME");
    limits.push_back(each);
  }
  return limits;
}

void check_pair(const AuditOptions& options) {
  if (options.words.empty())
    throw base::UsageError(
        "which client? write its command after --: tcplab audit --server 'redis-server' "
        "--port 6379 -- redis-cli -h SERVER ping");
  if (options.server.empty())
    throw base::UsageError(
        "which server? give its command: --server 'redis-server --port 6379', or an audit's file: "
        "tcplab audit audit.lua");
  if (options.port == 0)
    throw base::UsageError("on which port does the server listen? --port 6379");
  for (const std::string& word : options.words)
    if (word.find(kPlaceholder) != std::string::npos) return;
  throw base::UsageError(
      "the client's command does not say SERVER: write SERVER where it names the server, as in "
      "redis-cli -h SERVER ping");
}

PairCommand pair_of(const AuditOptions& options) {
  check_pair(options);
  return {.server = options.server,
          .port = static_cast<std::uint16_t>(options.port),
          .client = options.words,
          .requests = options.requests,
          .after = options.after};
}

/// Writes a file that does not exist yet: of the pair on the command line, or an example.
int init(const AuditOptions& options) {
  const bool names_pair = !options.server.empty() || options.port != 0;
  if (!names_pair && options.words.size() > 1)
    throw base::UsageError(
        "--init writes one file: tcplab audit --init audit.lua; for the file of this client, add "
        "--server and --port");
  const std::string file =
      names_pair || options.words.empty() ? "audit.lua" : options.words.front();
  if (fs::exists(file))
    throw base::UsageError(
        file + " exists; " +
        (names_pair ? "move it away first" : "name another file: tcplab audit --init FILE.lua"));
  base::write_output_file(file, names_pair ? script_of(pair_of(options)) : example_script());
  std::cout << "Wrote " << file << ". "
            << (names_pair ? "Run it with: tcplab audit "
                           : "Put your commands there, then: tcplab audit ")
            << file << "\n";
  return 0;
}

bool is_script(const AuditOptions& options) {
  return options.server.empty() && options.port == 0 && options.words.size() == 1 &&
         options.words.front().ends_with(".lua");
}

/// Returns the script to run. Writes it, if the command line names a pair.
std::string script(const AuditOptions& options) {
  if (is_script(options) && !options.after.empty())
    throw base::UsageError("--after is for a pair; in an audit's file, write: after = \"COMMAND\"");
  if (is_script(options)) return options.words.front();
  const std::string text = script_of(pair_of(options));
  const fs::path folder = base::make_output_folder(options.out);
  std::string file = (folder / "audit.lua").string();
  base::write_output_file(file, text);
  return file;
}

lab::KernelChoice kernel_of(const AuditOptions& options) {
  lab::KernelChoice on = lab::choose_kernel(options.kernel);
  require_namespaces(on, "--trust", options.trust);
  return on;
}

AuditOrder order_of(const AuditOptions& options) {
  lab::KernelChoice on = kernel_of(options);
  const std::size_t jobs = options.jobs.value_or(usual_jobs(on, 0));
  std::vector<std::string> limits = limits_of_a_run(options, on);
  const std::optional<std::chrono::seconds> limit = time_limit(options);
  return {.script = script(options),
          .port = static_cast<std::uint16_t>(options.port),
          .limit = limit,
          .limits = std::move(limits),
          .ready_within = options.ready.empty() ? std::optional<std::chrono::seconds>{}
                                                : duration(options.ready),
          .baseline_within = duration(options.baseline),
          .failures = options.failures,
          .moments = options.moments,
          .timers = options.timers == "stock" ? lab::TimerProfile::stock : lab::TimerProfile::fast,
          .family = options.family == "4" ? base::Family::ipv4 : base::Family::ipv6,
          .on = std::move(on),
          .jobs = jobs,
          .is_trusted = options.trust,
          .out = fs::path(options.out) / "runs"};
}

std::optional<base::nanoseconds> required(const std::string& time) {
  if (time.empty()) return std::nullopt;
  return duration(time);
}

AuditResultOptions result_options(const AuditOptions& options) {
  return {.files = options.files,
          .html = options.html,
          .out = options.out,
          .requirements = {.notice_within = required(options.notice_within),
                           .recover_within = required(options.recover_within),
                           .no_repeat = options.no_repeat},
          .style = style_of(options.files.own_stdout() ? STDERR_FILENO : STDOUT_FILENO),
          .write_runs = [](const std::vector<fs::path>& files, const std::string& folder) {
            write_html(files, folder);
          }};
}

AuditedRuns run_cells(const AuditOrder& order) {
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  return run_audit(order, [&](const std::vector<RunPlan>& plans, base::nanoseconds most) {
    const bool is_virtual = order.on.is_own();
    std::cerr << plans.size() << " failures at a moment of a request, side by side; each takes at "
              << "most " << base::describe(most) << (is_virtual ? " of its hosts' time" : "")
              << "\n";
    const auto limit = is_virtual ? std::optional<base::nanoseconds>{} : most;
    return std::make_unique<AuditProgress>(plans, limit, std::cerr, is_terminal);
  });
}

/// Returns the exit status of an audit that has no table.
int tell_stopped(const AuditedRuns& audited) {
  const int status = audited.suite.exit_status;
  std::cerr << reports::message("the audit was stopped by " + base::signal_name(status - 128) +
                                " before the first failure was judged");
  return status;
}

/// The advised times, or half of a short limit, so that an effect can be seen.
base::nanoseconds applied_time(base::nanoseconds limit) {
  return std::min<base::nanoseconds>(30s, limit / 2);
}

/// Runs the audit again with the advised options. Returns the exit status.
int apply(const AuditOptions& options, AuditOrder order, const audit::Audit& before,
          base::nanoseconds limit) {
  const audit::OptionPlan plan = audit::plan_options(before, applied_time(limit));
  tell_plan(result_options(options), plan);
  if (plan.client.empty() && plan.server.empty()) return 0;
  order.client_options = audit::option_words(plan.client);
  order.server_options = audit::option_words(plan.server);
  order.out = fs::path(options.out) / kApplied / "runs";
  const AuditedRuns audited = run_cells(order);
  if (audited.has_none()) return tell_stopped(audited);
  tell_comparison(result_options(options), before, audited);
  return audited.suite.exit_status;
}

int audit(const AuditOptions& options) {
  if (options.init) return init(options);
  if (options.compare) return compare_audits(options.words, style_of(STDOUT_FILENO));
  check_environment();
  check(options.files, options.html);
  const AuditOrder order = order_of(options);
  const AuditedRuns audited = run_cells(order);
  if (audited.has_none()) return tell_stopped(audited);
  const audit::Audit audit = results_of(result_options(options), audited);
  const int status = tell(result_options(options), audited, audit);
  const bool has_run = audited.suite.exit_status == 0;
  const int applied = options.apply && has_run ? apply(options, order, audit, audited.limit) : 0;
  return std::max(status, applied);
}

}  // namespace

void add_audit_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App& command =
      *app.add_subcommand("audit",
                          "Find out what your client does when its server or network fails")
           ->group(kRunCommands);
  add_audit_options(command, *options);
  command.callback([options, &chosen] { chosen = [options] { return audit(*options); }; });
}

}  // namespace tcplab::app
