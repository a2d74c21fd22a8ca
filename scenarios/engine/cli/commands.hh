// The commands of tcplab, one file each: what the words of a command line mean, and their doing.
// Each adds itself to the command line and returns the exit status when it has been called.
#pragma once

#include <functional>
#include <string>

namespace tcplab::engine {

class CommandLine;

/// What a command does, once the command line has been read; its value is the exit status.
using Command = std::function<int()>;

void add_list_command(CommandLine& app, Command& chosen);
void add_check_command(CommandLine& app, Command& chosen);
void add_run_command(CommandLine& app, Command& chosen);
void add_explain_command(CommandLine& app, Command& chosen);
void add_merge_command(CommandLine& app, Command& chosen);
void add_show_command(CommandLine& app, Command& chosen);
void add_diff_command(CommandLine& app, Command& chosen);
void add_coverage_command(CommandLine& app, Command& chosen);
void add_doctor_command(CommandLine& app, Command& chosen);
void add_report_command(CommandLine& app, Command& chosen);
void add_quiz_command(CommandLine& app, Command& chosen);
void add_shell_command(CommandLine& app, Command& chosen);

}  // namespace tcplab::engine
