// tcplab builds hosts on this machine, runs programs on them, breaks things, and watches both ends.
// It compares what it saw with what a scenario expects.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.hh"
#include "app/cli/help_formatter.hh"
#include "app/cli/usage_message.hh"
#include "base/error.hh"

namespace {

constexpr int kUsage = 2;
constexpr int kBroken = 3;

using tcplab::base::UsageError;

/// Adds the commands in the order of the help page.
void add_commands(CLI::App& app, tcplab::app::Command& chosen) {
  using namespace tcplab::app;
  add_list_command(app, chosen);
  add_explain_command(app, chosen);
  add_check_command(app, chosen);
  add_run_command(app, chosen);
  add_audit_command(app, chosen);
  add_matrix_command(app, chosen);
  add_conform_command(app, chosen);
  add_shell_command(app, chosen);
  add_session_command(app, chosen);
  add_interface_command(app, chosen);
  add_schema_command(app, chosen);
  add_quiz_command(app, chosen);
  add_show_command(app, chosen);
  add_report_command(app, chosen);
  add_site_command(app, chosen);
  add_diff_command(app, chosen);
  add_coverage_command(app, chosen);
  add_merge_command(app, chosen);
  add_look_command(app, chosen);
  add_trace_command(app, chosen);
  add_kernels_command(app, chosen);
  add_stacks_command(app, chosen);
  add_doctor_command(app, chosen);
}

/// Returns the arguments. "help run" means "run --help", and "help" means "--help".
std::vector<std::string> arguments_of(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  const auto is_first = [&](const CLI::App* command) {
    return command->get_name() == arguments.front();
  };
  if (arguments.empty() || std::ranges::any_of(app.get_subcommands({}), is_first))
    arguments.emplace_back("--help");
  return arguments;
}

int run(int argc, char** argv) {
  using namespace tcplab::app;
  CLI::App app("Run TCP failures on this machine, and watch both ends", "tcplab");
  // Commands inherit the formatter and the help option, so both come first.
  app.formatter(std::make_shared<HelpFormatter>(STDOUT_FILENO));
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", "tcplab " TCPLAB_VERSION, "Print the version");
  app.require_subcommand(1);
  Command chosen;
  add_commands(app, chosen);
  app.footer("\"tcplab help COMMAND\" describes a command. The manual page is tcplab(1).");
  const std::vector<std::string> arguments = arguments_of(app, argc, argv);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(app, error, arguments));
  }
  return chosen();
}

/// Flushes standard output, because only the flush shows that its disk is full.
void finish_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0)
    throw tcplab::base::LabError("cannot write standard output: is its disk full?");
}

int report_error(const std::exception& error, int status) {
  std::fputs(tcplab::app::error_message(error).c_str(), stderr);
  return status;
}

/// Opens /dev/null in place of those of 0, 1 and 2 that are closed, so that no other file becomes
/// standard input or output. Reading that input, and writing that output, still fail.
void open_missing_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1)
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_descriptors();
  ::umask(::umask(0) | S_IWOTH);  // nobody else may change our results, whatever the caller's umask
  try {
    const int status = run(argc, argv);
    finish_output();
    return status;
  } catch (const tcplab::base::UsageError& error) {
    return report_error(error, kUsage);
  } catch (const std::exception& error) {
    return report_error(error, kBroken);
  }
}
