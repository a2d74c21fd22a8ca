#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/html_pages.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/protocol/protocol_relay.hh"
#include "app/script/field_reader.hh"
#include "app/suite/worker.hh"
#include "base/error.hh"
#include "base/error_message.hh"
#include "base/output_file.hh"

namespace tcplab::app {

namespace {

struct SessionArguments {
  std::string family = "4";
  std::string name = "session";
  std::string title = "A session of tcplab session";
  std::vector<std::string> needs;
  std::string html;
  RunOptions run{.out = "runs/session"};  // those that a session shares with tcplab run
};

RunPlan plan(const SessionArguments& options) {
  const bool ipv4 = options.family == "4";
  RunPlan plan;
  plan.script.name = options.name;
  plan.script.topic = "session";
  plan.script.file = "session";
  plan.script.title = options.title;
  plan.script.tags = {"session"};
  plan.script.needs = options.needs;
  plan.family = ipv4 ? base::Family::ipv4 : base::Family::ipv6;
  plan.timers = options.run.timers == "stock" ? lab::TimerProfile::stock : lab::TimerProfile::fast;
  plan.folder = options.run.out;
  plan.variant = (ipv4 ? "IPv4, " : "IPv6, ") + options.run.timers + " timers";
  plan.on = options.run.kernel_choice();
  plan.variant += plan.on.variant();
  plan.id = "session/" + options.name;
  plan.limits = options.run.run_limits();
  plan.limits.timeout = {};  // a client may take its time
  plan.limits.seconds = 0;
  plan.limits.command = "tcplab session";
  plan.is_trusted = options.run.trust;
  plan.parameters = options.run.parameters();
  return plan;
}

/// Writes the web page. If that fails, the session ends as broken, and its last line says why.
void write_page(const RunPlan& plan, const std::string& folder, SessionEnd& end) {
  if (folder.empty()) return;
  try {
    end.page = write_html({plan.folder / "events.jsonl"}, folder);
  } catch (const std::exception& error) {
    if (end.status == static_cast<int>(RunStatus::broken)) return;
    end.status = static_cast<int>(RunStatus::broken);
    end.reason += (end.reason.empty() ? "" : "; ") + ("no page: " + base::message_of(error));
  }
}

int session(const SessionArguments& options) {
  check_environment();
  base::require_output_folder(options.html);
  const RunPlan chosen = plan(options);
  ProtocolRelay relay(chosen);
  SessionEnd end = relay.run();
  write_page(chosen, options.html, end);
  relay.write_end(end);
  if (end.signal != 0) return 128 + end.signal;
  if (end.status == static_cast<int>(RunStatus::broken)) throw base::LabError(end.reason);
  if (relay.output_error() != 0)
    throw base::SystemError("write standard output", relay.output_error());
  const int refused = end.has_refused ? static_cast<int>(RunStatus::bad_script) : 0;
  return end.status != 0 ? end.status : refused;
}

OptionCheck a_scenario_word() {
  return [](const std::string& name) {
    return is_scenario_word(name) ? std::string()
                                  : "\"" + name + "\" is not valid: " + kScenarioWord;
  };
}

void add_session_options(CLI::App& command, SessionArguments& options) {
  command.add_option("--family", options.family, "Choose the Internet Protocol")
      ->option_text("4|6")
      ->check(one_of({"4", "6"}))
      ->capture_default_str();
  command.add_option("--timers", options.run.timers, kTimersHelp)
      ->option_text("fast|stock")
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  add_kernel_option(command, options.run.hosts.kernel, "Options");
  add_stack_options(command, options.run.hosts.stacks, "Options");
  command
      .add_flag("--trust", options.run.trust,
                "Let programs change the machine's files, and keep your environment and privileges")
      ->group("Options");
  command
      .add_option("--need", options.needs,
                  "Skip the run if this is not met: \"root\", \"program nft\"; repeatable")
      ->option_text("NEED")
      ->check(not_empty())
      ->allow_extra_args(false);
  command
      .add_option("--set", options.run.settings,
                  "Give the session this value: lab:parameter(\"NAME\"); repeatable")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--limit", options.run.limits,
                  "End a run that uses more: events, output, faults, programs, memory, disks")
      ->option_text("NAME=N")
      ->allow_extra_args(false);
  command.add_option("--name", options.name, "Choose the name of the run in reports")
      ->option_text("NAME")
      ->check(a_scenario_word())
      ->capture_default_str();
  command.add_option("--title", options.title, "Choose the title of the run in reports")
      ->option_text("TEXT")
      ->check(not_empty());
  command.add_option("--out", options.run.out, "Write the folder of the run to DIR")
      ->option_text("DIR")
      ->check(not_empty())
      ->capture_default_str();
  command.add_option("--html", options.html, "Write a web page of the run into DIR")
      ->option_text("DIR")
      ->check(not_empty());
}

}  // namespace

void add_session_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<SessionArguments>();
  CLI::App& command =
      *app.add_subcommand("session", "Let another program drive hosts: JSON requests and answers")
           ->group(kRunCommands);
  add_session_options(command, *options);
  command.footer(
      "Each line of standard input is a request, and gets one line as an answer: docs/session.md.\n"
      "The run ends with standard input.\n"
      "\nExit status: 0 passed, 1 an expectation failed, 2 usage or a refused request, 3 the lab "
      "broke,\n4 skipped.");
  command.callback([options, &chosen] { chosen = [options] { return session(*options); }; });
}

}  // namespace tcplab::app
