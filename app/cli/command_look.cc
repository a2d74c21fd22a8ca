// tcplab look: what a process waits for, and what ends the wait.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <optional>
#include <thread>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"
#include "look/failure_file.hh"
#include "look/live_process.hh"
#include "look/looked_core.hh"
#include "look/ss_output.hh"
#include "reports/look/core_text.hh"
#include "reports/look/look_text.hh"
#include "reports/look/record_text.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

using look::LookedProcess;

constexpr int kEndless = 1;
constexpr int kHidden = 3;

struct LookOptions {
  std::string which;
  bool all = false;
  bool is_json = false;
  bool watches = false;
  std::string record;  // of a core file; empty: the one beside it
};

pid_t process_of(const std::string& text) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), process);
  if (error != std::errc{} || end != text.data() + text.size() || process <= 0)
    throw base::UsageError(text +
                           ": name a process by its number (pgrep NAME), a core file, or - for "
                           "the output of ss -tnoiep");
  return process;
}

/// A process that ends meanwhile is left out; the first one must be there.
std::vector<LookedProcess> look_at_family(pid_t process) {
  std::vector<LookedProcess> looked{look::look_at(process)};
  for (const pid_t child : look::family_of(process)) {
    if (child == process) continue;
    try {
      LookedProcess one = look::look_at(child);
      if (!one.connections.empty() || !one.hidden.empty()) looked.push_back(std::move(one));
    } catch (const base::UsageError&) {
      continue;
    }
  }
  return looked;
}

std::string words_of_hidden(std::size_t count) {
  return fmt::format(
      "the kernel does not show you the connections of {} other process{}; try as root", count,
      count == 1 ? "" : "es");
}

/// Processes, and how many others the kernel does not show.
struct LookedProcesses {
  std::vector<LookedProcess> shown{};
  std::size_t hidden = 0;
};

LookedProcesses look_at_all() {
  LookedProcesses looked;
  for (const pid_t process : look::all_processes()) {
    if (process == ::getpid()) continue;
    try {
      LookedProcess one = look::look_at(process);
      if (!one.connections.empty())
        looked.shown.push_back(std::move(one));
      else if (!one.hidden.empty())
        ++looked.hidden;
    } catch (const base::UsageError&) {
      continue;  // it has ended, or is a thread of the kernel
    }
  }
  if (looked.shown.empty())
    throw base::UsageError(looked.hidden == 0
                               ? "no process has a TCP connection"
                               : "no process that you may look at has a TCP connection; " +
                                     words_of_hidden(looked.hidden));
  return looked;
}

std::vector<LookedProcess> look_at_ss() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  look::SsOutput output = look::read_ss_output(text);
  if (output.skipped > 0)
    std::cerr << reports::message("skipped " + reports::counted(output.skipped, "line") +
                                  " of the input without a TCP connection");
  return std::move(output.processes);
}

LookedProcesses looked(const LookOptions& options) {
  if (options.all) return look_at_all();
  if (options.which == "-") return {look_at_ss()};
  return {look_at_family(process_of(options.which))};
}

/// The record of a core file that the user names, or the one beside it. One that lies there and is
/// not of this process is not used.
std::optional<look::RecordFile> record_of(const look::LookedCore& core,
                                          const LookOptions& options) {
  const bool is_named = !options.record.empty();
  const std::string path =
      is_named ? options.record : look::record_beside(options.which, core.process, core.identity);
  if (path.empty()) return std::nullopt;
  try {
    look::RecordFile file{path, look::read_record(path)};
    if (look::is_of(file.record, core.process, core.identity)) return file;
    throw base::UsageError(path + ": is the record of another process than " + options.which +
                           ": " + std::to_string(file.record.own_process) + ", " +
                           file.record.command);
  } catch (const base::UsageError& problem) {
    if (is_named) throw;
    std::cerr << reports::message(std::string(problem.what()) + "; it is not used");
    return std::nullopt;
  }
}

int look_at_core(const LookOptions& options) {
  const look::LookedCore core = look::look_at_core(options.which);
  const std::optional<look::RecordFile> record = record_of(core, options);
  const look::RecordFile* const known = record ? &*record : nullptr;
  if (options.is_json)
    reports::write_core_json(std::cout, options.which, core, known);
  else
    reports::write_core(std::cout, options.which, core, known, style_of(STDOUT_FILENO));
  std::cout.flush();
  return 0;
}

/// A record alone: there may be no core file.
int look_at_record(const LookOptions& options) {
  const look::FailureRecord record = look::read_record(options.which);
  if (options.is_json)
    reports::write_record_json(std::cout, record);
  else
    reports::write_record(std::cout, options.which, record, style_of(STDOUT_FILENO));
  std::cout.flush();
  return 0;
}

/// A number is a process, unless a path says that it is a file: "./4711".
bool is_file(const std::string& which) {
  const bool is_number = std::ranges::all_of(which, [](char c) { return c >= '0' && c <= '9'; });
  return !is_number && std::filesystem::is_regular_file(which);
}

int look_once(const LookOptions& options) {
  const LookedProcesses found = looked(options);
  const std::vector<LookedProcess>& processes = found.shown;
  if (options.is_json)
    reports::write_look_json(std::cout, processes);
  else if (processes.empty())
    std::cout << "no TCP connection\n";
  else
    reports::write_look(std::cout, processes, style_of(STDOUT_FILENO));
  std::cout.flush();
  if (found.hidden > 0) std::cerr << reports::message(words_of_hidden(found.hidden));
  if (look::has_endless_wait(processes)) return kEndless;
  return found.hidden > 0 || look::is_any_hidden(processes) ? kHidden : 0;
}

int look(const LookOptions& options) {
  if (options.all == !options.which.empty())
    throw base::UsageError(
        "name one process by its number, or a core file, or use --all, or - for the output of ss");
  const bool has_file = !options.all && is_file(options.which);
  if (options.watches && (options.which == "-" || has_file))
    throw base::UsageError("--watch is for processes of this machine");
  const bool has_record = has_file && look::may_be_record(options.which);
  if (!options.record.empty() && (!has_file || has_record))
    throw base::UsageError("--record is for a core file: tcplab look CORE --record FILE");
  if (has_record) return look_at_record(options);
  if (has_file) return look_at_core(options);
  if (!options.watches) return look_once(options);
  constexpr auto kPause = std::chrono::seconds(1);
  constexpr const char* kClear = "\x1b[H\x1b[2J";  // ECMA-48: home, erase
  while (true) {
    if (::isatty(STDOUT_FILENO) == 1) std::cout << kClear;
    look_once(options);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

void add_look_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<LookOptions>();
  CLI::App& command =
      *app.add_subcommand("look", "Say what a process waits for, and what ends the wait")
           ->group(kResultCommands);
  command.add_option(
      "PID", options->which,
      "A process, with its children and threads, a core file or the record of one; - "
      "reads the output of ss -tnoiep");
  command.add_flag("--all", options->all, "Look at every process that has a TCP connection");
  command.add_flag("--json", options->is_json, "Print JSON; times are in nanoseconds");
  command.add_flag("--watch", options->watches, "Look again every second");
  command
      .add_option("--record", options->record,
                  "The record of a core file, if it is not beside it (core.PID.tcplab.json)")
      ->option_text("FILE");
  command.footer(
      "The process is not stopped, and nothing is loaded into it.\n\nExit status: 0; 1 a call may "
      "wait for ever; 2 usage, or there is no such process;\n3 the kernel does not show everything "
      "to you. With -, who waits is not known: 0 or 2.");
  command.callback([options, &chosen] { chosen = [options] { return look(*options); }; });
}

}  // namespace tcplab::app
