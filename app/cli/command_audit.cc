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
constexpr const char* kMeasuring = "Measuring";
constexpr const char* kRequirements = "Requirements";
constexpr const char* kAuditResults = "Results";

struct AuditOptions {
  std::vector<std::string> words{};  // the client's command, or the script
  std::string server{};
  int port = 0;
  std::vector<std::string> requests{};
  std::vector<std::string> limits{};  // a time, and limits of a run: "output=128M"
  std::string ready{};
  std::string baseline = "10s";
  std::vector<std::string> failures{};
  std::vector<std::string> moments{};
  std::string timers = "stock";
  std::string family = "4";
  std::string kernel{lab::kThisKernel};
  std::optional<std::uint64_t> jobs{};
  std::string out = "audit";
  std::string notice_within{};
  std::string recover_within{};
  bool no_repeat = false;
  AuditFiles files{};
  std::string html{};
  bool trust = false;
  bool init = false;
  bool compare = false;
  bool apply = false;
};

std::chrono::seconds duration(const std::string& text) { return *parse_duration(text); }

OptionCheck is_duration() {
  return [](const std::string& text) {
    return parse_duration(text) ? "" : "write it as 30s, 5m or 2h; at most a day";
  };
}

bool is_limit_of_a_run(const std::string& limit) { return limit.find('=') != std::string::npos; }

/// --limit takes a time, or NAME=N. The latter is read when the order is made.
OptionCheck is_limit() {
  return [](const std::string& text) {
    return parse_duration(text) || is_limit_of_a_run(text)
               ? ""
               : "write a time as 30s, 5m or 2h, at most a day; or a limit of a run as output=128M";
  };
}

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
          .requests = options.requests};
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

CLI::Option* add_time(CLI::App& command, const char* group, const std::string& name,
                      std::string& time, const std::string& what) {
  return command.add_option(name, time, what)
      ->option_text("TIME")
      ->group(group)
      ->check(is_duration());
}

void add_measuring_options(CLI::App& command, AuditOptions& options) {
  command
      .add_option("--limit", options.limits,
                  "Wait at most this long after a failure for the client's end (default 300s, or "
                  "`limit` in the audit's file); or let a run use N events, output, faults, "
                  "programs, memory or disks")
      ->option_text("TIME|NAME=N")
      ->group(kMeasuring)
      ->check(is_limit())
      ->allow_extra_args(false);
  add_time(command, kMeasuring, "--ready", options.ready,
           "Wait at most this long for the server to listen (default 20s)");
  add_time(command, kMeasuring, "--baseline", options.baseline,
           "Without a failure, a client that takes longer waits without end")
      ->capture_default_str();
  command.add_option("--failure", options.failures, "Try only this failure; repeatable")
      ->option_text("NAME")
      ->group(kMeasuring)
      ->allow_extra_args(false);
  command.add_option("--moment", options.moments, "Try failures only at this moment; repeatable")
      ->option_text("NAME")
      ->group(kMeasuring)
      ->allow_extra_args(false);
  command.add_option("--timers", options.timers, kTimersHelp)
      ->option_text("fast|stock")
      ->group(kMeasuring)
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  add_kernel_option(command, options.kernel, kMeasuring);
  command.add_option("--family", options.family, "Choose the Internet Protocol")
      ->option_text("4|6")
      ->group(kMeasuring)
      ->check(one_of({"4", "6"}))
      ->capture_default_str();
  command
      .add_option(
          "-j,--jobs", options.jobs,
          "Run at most N cells at once (default all; with --kernel VERSION, as many as processors)")
      ->option_text("N")
      ->group(kMeasuring)
      ->check(in_range(1, 1024));
  command
      .add_flag("--apply", options.apply,
                "Run everything again with the advised options set on the programs' sockets")
      ->group(kMeasuring);
  command
      .add_flag("--trust", options.trust,
                "Let programs change the machine's files, and keep your environment and privileges")
      ->group(kMeasuring);
}

void add_requirement_options(CLI::App& command, AuditOptions& options) {
  add_time(command, kRequirements, "--notice-within", options.notice_within,
           "Require that the client learns of each failure in this time");
  add_time(command, kRequirements, "--recover-within", options.recover_within,
           "Require the right answer in this time after a failure that ends");
  command
      .add_flag("--no-repeat", options.no_repeat, "Require that the server reads no request twice")
      ->group(kRequirements);
}

void add_audit_files(CLI::App& command, AuditOptions& options) {
  const auto add = [&](const std::string& name, std::string& file, const std::string& what) {
    command.add_option(name, file, what)
        ->option_text("FILE")
        ->group(kAuditResults)
        ->check(not_empty());
  };
  add("--junit", options.files.junit, "Write a test for each cell as JUnit XML");
  add("--markdown", options.files.markdown, "Write the table as Markdown");
  add("--json", options.files.json, "Write the facts of each cell as JSON");
  command
      .add_option("--html", options.html,
                  "Write the table as a web page, and a page of each run, into DIR")
      ->option_text("DIR")
      ->group(kAuditResults)
      ->check(not_empty());
}

}  // namespace

void add_audit_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App& command =
      *app.add_subcommand("audit",
                          "Find out what your client does when its server or network fails")
           ->group(kRunCommands);
  command.add_option("CLIENT", options->words,
                     "The client's command, after --, with SERVER for the server's host; or the "
                     ".lua file of an audit");
  command.add_option("--server", options->server, "The server's command, a line for sh(1)")
      ->option_text("COMMAND")
      ->check(not_empty());
  command.add_option("--port", options->port, "The port that the server listens on")
      ->option_text("N")
      ->check(in_range(1, 65535));
  command
      .add_option("--type", options->requests,
                  "Type this line into the client, with a pause after it; repeatable")
      ->option_text("LINE")
      ->allow_extra_args(false);
  command.add_flag("--init", options->init, "Write the file of an audit, to begin with");
  command.add_flag("--compare", options->compare,
                   "Show two earlier audits side by side: their folders are the arguments");
  add_measuring_options(command, *options);
  add_requirement_options(command, *options);
  command
      .add_option("--out", options->out, "Write the script and the folders of the runs into DIR")
      ->option_text("DIR")
      ->group(kAuditResults)
      ->check(not_empty())
      ->capture_default_str();
  add_audit_files(command, *options);
  command.footer(
      "If FILE is -, it means standard output. TIME is 30s, 5m or 2h. NAME=N is output=128M.\n"
      "Example: tcplab audit --server 'redis-server --protected-mode no' --port 6379 \\\n"
      "           -- redis-cli -h SERVER blpop queue 0\n"
      "Exit status: 0 the audit is done, 1 a requirement is missed, 2 usage, 3 the lab broke.");
  command.callback([options, &chosen] { chosen = [options] { return audit(*options); }; });
}

}  // namespace tcplab::app
