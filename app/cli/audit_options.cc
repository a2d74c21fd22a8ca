#include "app/cli/audit_options.hh"

#include "app/audit/duration.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"

namespace tcplab::app {

namespace {

constexpr const char* kMeasuring = "Measuring";
constexpr const char* kRequirements = "Requirements";
constexpr const char* kAuditResults = "Results";

/// --limit takes a time, or NAME=N. The latter is read when the order is made.
OptionCheck is_limit() {
  return [](const std::string& text) {
    return parse_duration(text) || is_limit_of_a_run(text)
               ? ""
               : "write a time as 30s, 5m or 2h, at most a day; or a limit of a run as output=128M";
  };
}

CLI::Option* add_time(CLI::App& command, const char* group, const std::string& name,
                      std::string& time, const std::string& what) {
  return command.add_option(name, time, what)
      ->option_text("TIME")
      ->group(group)
      ->check(a_duration());
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

bool is_limit_of_a_run(const std::string& limit) { return limit.find('=') != std::string::npos; }

void add_audit_options(CLI::App& command, AuditOptions& options) {
  command.add_option("CLIENT", options.words,
                     "The client's command, after --, with SERVER for the server's host; or the "
                     ".lua file of an audit");
  command.add_option("--server", options.server, "The server's command, a line for sh(1)")
      ->option_text("COMMAND")
      ->check(not_empty());
  command.add_option("--port", options.port, "The port that the server listens on")
      ->option_text("N")
      ->check(in_range(1, 65535));
  command
      .add_option("--type", options.requests,
                  "Type this line into the client, with a pause after it; repeatable")
      ->option_text("LINE")
      ->allow_extra_args(false);
  command
      .add_option("--after", options.after,
                  "Run this on the server's host after a failure, and say whether a client that "
                  "never ends reacts")
      ->option_text("COMMAND")
      ->check(not_empty());
  command.add_flag("--init", options.init, "Write the file of an audit, to begin with");
  command.add_flag("--compare", options.compare,
                   "Show two earlier audits side by side: their folders are the arguments");
  add_measuring_options(command, options);
  add_requirement_options(command, options);
  command.add_option("--out", options.out, "Write the script and the folders of the runs into DIR")
      ->option_text("DIR")
      ->group(kAuditResults)
      ->check(not_empty())
      ->capture_default_str();
  add_audit_files(command, options);
  command.footer(
      "If FILE is -, it means standard output. TIME is 30s, 5m or 2h. NAME=N is output=128M.\n"
      "Example: tcplab audit --server 'redis-server --protected-mode no' --port 6379 \\\n"
      "           -- redis-cli -h SERVER blpop queue 0\n"
      "Exit status: 0 the audit is done, 1 a requirement is missed, 2 usage, 3 the lab broke.");
}

}  // namespace tcplab::app
