// The commands of tcplab, one file each. Each adds its options to the command line, and sets
// `chosen` if the user asks for it.
#pragma once

#include <functional>
#include <string>

namespace tcplab::engine {

class CommandLine;

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
inline constexpr const char* kTimersHelp =
    "Choose the kernel's timers: a run takes seconds with fast, and minutes with stock";

void add_list_command(CommandLine& app, Command& chosen);
void add_check_command(CommandLine& app, Command& chosen);
void add_run_command(CommandLine& app, Command& chosen);
void add_audit_command(CommandLine& app, Command& chosen);
void add_explain_command(CommandLine& app, Command& chosen);
void add_merge_command(CommandLine& app, Command& chosen);
void add_show_command(CommandLine& app, Command& chosen);
void add_matrix_command(CommandLine& app, Command& chosen);
void add_diff_command(CommandLine& app, Command& chosen);
void add_coverage_command(CommandLine& app, Command& chosen);
void add_trace_command(CommandLine& app, Command& chosen);
void add_kernels_command(CommandLine& app, Command& chosen);
void add_doctor_command(CommandLine& app, Command& chosen);
void add_report_command(CommandLine& app, Command& chosen);
void add_site_command(CommandLine& app, Command& chosen);
void add_quiz_command(CommandLine& app, Command& chosen);
void add_shell_command(CommandLine& app, Command& chosen);
void add_interface_command(CommandLine& app, Command& chosen);

}  // namespace tcplab::engine
