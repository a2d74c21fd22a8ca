// The commands of tcplab, one file each. Each function adds a command and its options to the
// command line. If the user gives that command, parsing sets `chosen`.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace tcplab::app {

/// Carries out a command after the command line is parsed, and returns the exit status.
using Command = std::function<int()>;

// The groups on the help page.
inline constexpr const char* kScenarioCommands = "Scenarios";
inline constexpr const char* kRunCommands = "Experiments";
inline constexpr const char* kResultCommands = "Results";
inline constexpr const char* kMachineCommands = "Machine";

// Help texts that several commands share.
inline constexpr const char* kWhichScenarios =
    "Scenario names, topics, tags, .lua files or folders (default all)";
inline constexpr const char* kAfterLastVerdict =
    "What happens after a run's last verdict is ignored: it depends on how fast the programs "
    "are.\n";
inline constexpr const char* kOneRun = "The folder of a run, or its events.jsonl";
inline constexpr const char* kJsonHelp = "Print JSON, for programs";
inline constexpr const char* kTimersHelp =
    "Choose the kernel's timers: a run takes seconds with fast, and minutes with stock";

void add_list_command(CLI::App& app, Command& chosen);
void add_check_command(CLI::App& app, Command& chosen);
void add_run_command(CLI::App& app, Command& chosen);
void add_audit_command(CLI::App& app, Command& chosen);
void add_explain_command(CLI::App& app, Command& chosen);
void add_merge_command(CLI::App& app, Command& chosen);
void add_show_command(CLI::App& app, Command& chosen);
void add_matrix_command(CLI::App& app, Command& chosen);
void add_conform_command(CLI::App& app, Command& chosen);
void add_diff_command(CLI::App& app, Command& chosen);
void add_coverage_command(CLI::App& app, Command& chosen);
void add_look_command(CLI::App& app, Command& chosen);
void add_trace_command(CLI::App& app, Command& chosen);
void add_kernels_command(CLI::App& app, Command& chosen);
void add_stacks_command(CLI::App& app, Command& chosen);
void add_doctor_command(CLI::App& app, Command& chosen);
void add_report_command(CLI::App& app, Command& chosen);
void add_site_command(CLI::App& app, Command& chosen);
void add_quiz_command(CLI::App& app, Command& chosen);
void add_shell_command(CLI::App& app, Command& chosen);
void add_session_command(CLI::App& app, Command& chosen);
void add_interface_command(CLI::App& app, Command& chosen);
void add_schema_command(CLI::App& app, Command& chosen);

}  // namespace tcplab::app
