#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/run_options.hh"
#include "app/shell/shell.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

struct ShellArguments {
  std::string family = "4";
  std::string timers = "fast";
  int hosts = 2;
  std::string load;
  std::string out = "runs/shell";
  std::string kernel = std::string(lab::kThisKernel);
  StackOptions stacks{};
};

const std::vector<std::string>& host_names() {
  static const std::vector<std::string> kNames = {"kang", "kodos", "krusty",
                                                  "kent", "kirk",  "kearney"};
  return kNames;
}

/// Returns the line of Lua that makes the hosts, as a user would type it.
std::string hosts_line(int count) {
  if (count == 2) return "kang, kodos = lab:pair()";
  std::string left;
  std::string right;
  for (int i = 0; i < count; ++i) {
    const std::string& name = host_names().at(static_cast<std::size_t>(i));
    left += (i == 0 ? "" : ", ") + name;
    right += (i == 0 ? "\"" : ", \"") + name + "\"";
  }
  return left + " = lab:hosts{ " + right + " }";
}

std::vector<std::string> first_lines(const ShellArguments& options) {
  std::vector<std::string> lines;
  if (options.hosts > 0) lines.push_back(hosts_line(options.hosts));
  if (options.load.empty()) return lines;
  std::ifstream in(options.load);
  if (!in) throw base::UsageError("cannot read " + options.load + ": " + base::errno_name(errno));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

RunPlan plan(const ShellArguments& options) {
  const bool ipv4 = options.family == "4";
  RunPlan plan;
  plan.script.name = "shell";
  plan.script.topic = "shell";
  plan.script.file = "shell";
  plan.script.title = "A session of tcplab shell";
  plan.script.asks = "What happens when somebody types this?";
  plan.script.tags = {"shell"};
  plan.family = ipv4 ? base::Family::ipv4 : base::Family::ipv6;
  plan.timers = options.timers == "stock" ? lab::TimerProfile::stock : lab::TimerProfile::fast;
  plan.folder = options.out;
  plan.variant = (ipv4 ? "IPv4, " : "IPv6, ") + options.timers + " timers";
  plan.on = lab::choose_kernel(options.kernel);
  options.stacks.add_to(plan.on);
  plan.variant += plan.on.variant();
  plan.id = "shell/shell";
  plan.limits = lab::usual_limits();
  return plan;
}

int shell(const ShellArguments& options) {
  const reports::Style style = style_of(STDOUT_FILENO);
  Shell shell({.plan = plan(options),
               .first_lines = first_lines(options),
               .is_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1,
               .style = style});
  return shell.run();
}

}  // namespace

void add_shell_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ShellArguments>();
  CLI::App& command =
      *app.add_subcommand("shell", "Start hosts, and type Lua to experiment with them")
           ->group(kRunCommands);
  command.add_option("--hosts", options->hosts, "Start N hosts on one wire; 0 starts none")
      ->option_text("N")
      ->check(in_range(0, static_cast<int>(host_names().size())))
      ->capture_default_str();
  command.add_option("--family", options->family, "Choose the Internet Protocol")
      ->option_text("4|6")
      ->check(one_of({"4", "6"}))
      ->capture_default_str();
  command.add_option("--timers", options->timers, kTimersHelp)
      ->option_text("fast|stock")
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  add_kernel_option(command, options->kernel, "Options");
  add_stack_options(command, options->stacks, "Options");
  command.add_option("--load", options->load, "Execute the lines of FILE first")
      ->option_text("FILE");
  command.add_option("--out", options->out, "Write the folder of the session to DIR")
      ->option_text("DIR")
      ->capture_default_str();
  command.footer(
      "If standard input is not a terminal, the shell executes its lines one after another.\n"
      "Then the exit status is 1 if one of them failed.");
  command.callback([options, &chosen] { chosen = [options] { return shell(*options); }; });
}

}  // namespace tcplab::app
