// `tcplab trace`: the tracer alone, on any machine, without a lab.
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <string_view>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/trace/trace_printer.hh"
#include "app/trace/trace_probes.hh"
#include "app/trace/trap_records.hh"
#include "base/error.hh"
#include "capture/calls/call_traps.hh"
#include "capture/calls/trace_loop.hh"
#include "capture/calls/traced_child.hh"

namespace tcplab::app {

namespace {

struct TraceOptions {
  std::vector<std::string> command;
  TraceView view;
  bool io_uring = false;
  std::string process;
  std::vector<std::string> stack;
  std::string waits;
  std::vector<std::string> abort_on;
  std::vector<std::string> stop_on;
  std::vector<std::string> probe;
  std::string probes;     // of this program: list them
  std::size_t given = 0;  // options, and words of the command
};

/// The status that a shell would report: that of the program, or 128 and the number of its signal.
int exit_status(int status) {
  constexpr int kSignalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

[[noreturn]] void refuse_process(const std::string& process) {
  throw base::UsageError(
      "-p " + process +
      ": a running program is not traced: to attach would interrupt its blocked calls "
      "(epoll_wait, and recv with a timeout, would fail with EINTR); start it with: tcplab trace "
      "-- PROGRAM ...; to see what it waits for: tcplab look " +
      process);
}

/// A whole number, and its unit: at least the time after which a call is known to block. Returns
/// nothing for any other text.
std::optional<base::nanoseconds> parse_wait(const std::string& text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc{} || number < 1 || number > kMost) return std::nullopt;
  const std::string_view unit(end.ptr);
  if (unit == "ms") return std::chrono::milliseconds(number);
  if (unit == "s") return std::chrono::seconds(number);
  if (unit == "m") return std::chrono::minutes(number);
  return std::nullopt;
}

[[noreturn]] void explain_exec(const std::string& program, int error) {
  std::string text = "cannot run " + program + ": " + std::strerror(error);
  if (error == EPERM || error == EACCES)
    text += " (is it executable, and does the system allow seccomp filters?)";
  if (error == ENOEXEC) text += " (is it built for this machine, or does it lack its #! line?)";
  throw base::UsageError(text);
}

// Of the one trace of this process: its signal handler needs them.
std::atomic<pid_t> traced_program = 0;  // 0: it has ended
std::atomic<bool> is_ended = false;
std::atomic<const capture::TraceLoop*> trace_loop = nullptr;

/// Ends the program, and with it the trace, whose summary follows. If that was in vain, ends the
/// trace alone.
void end_program(int signal) {
  const int error = errno;
  const pid_t program = traced_program.exchange(0);
  if (program == 0 || ::kill(program, signal) != 0) {
    is_ended = true;
    if (const capture::TraceLoop* loop = trace_loop.load()) loop->interrupt();
  }
  errno = error;
}

/// The program traced until its end, with what happens at chosen errors.
class Trace {
public:
  Trace(const TraceOptions& options, TracePrinter& printer)
      : printer_(printer),
        stop_on_("--stop-on", options.stop_on),
        traps_(
            printer, records_, [&printer](const std::string& text) { printer.note(text); },
            capture::FailingCalls("--abort-on", options.abort_on), stop_on_),
        tracer_(traps_,
                stop_on_.empty() ? capture::StopsAt::traced_calls : capture::StopsAt::every_call),
        probes_(options.probe, options.command.front(), traps_,
                [&printer](const std::string& text) { printer.note(text); }),
        loop_(tracer_),
        child_(tracer_, options.command, gate(options)) {
    traps_.arm(tracer_);
    if (!probes_.is_empty()) tracer_.set_stop_points(probes_.points());
  }

  /// Returns how the program ended (wait(2)).
  int run(const std::string& program) {
    int watched = child_.errors();
    trace_loop = &loop_;
    traced_program = child_.pid();
    while (!is_ended && (tracer_.has_tracees() || !tracer_.status(child_.pid()))) {
      if (tracer_.status(child_.pid())) traced_program = 0;  // another process may get its number
      if (!loop_.turn(watched, [this] { look(); })) continue;
      if (const auto error = child_.exec_error()) explain_exec(program, *error);
      watched = -1;
    }
    trace_loop = nullptr;
    traps_.finish();
    probes_.finish();
    return tracer_.status(child_.pid()).value_or(SIGTERM);  // as if it had died of the signal
  }

private:
  void look() {
    printer_.flush();
    loop_.wake_at(printer_.read_waits());
  }

  /// A program with a filter cannot go on without its tracer.
  capture::TraceGate gate(const TraceOptions& options) const {
    if (!stop_on_.empty()) return {};
    return capture::TraceGate(
        options.io_uring ? capture::IoUring::allowed : capture::IoUring::refused,
        probes_.mappings());
  }

  TracePrinter& printer_;
  capture::FailingCalls stop_on_;
  TrapRecords records_;
  capture::CallTraps traps_;
  capture::Tracer tracer_;
  TraceProbes probes_;
  capture::TraceLoop loop_;
  capture::TracedChild child_;
};

int trace(const TraceOptions& options) {
  if (!options.process.empty()) refuse_process(options.process);
  if (!options.probes.empty() && options.given > 1)
    throw base::UsageError(
        "--probes lists the probes of a program and runs nothing: leave the other options and "
        "words out");
  if (!options.probes.empty()) return print_probes(options.probes);
  if (options.command.empty())
    throw base::UsageError("which program? write it after --: tcplab trace -- curl http://host/");
  if (!options.probe.empty() && !options.stop_on.empty())
    throw base::UsageError(
        "--probe and --stop-on do not go together: a program that goes on without the tracer would "
        "end at the next probe");
  TraceView view = options.view;
  if (!options.waits.empty()) view.waits = parse_wait(options.waits);
  view.threshold = options.waits;
  view.command = fmt::format("{}", fmt::join(options.command, " "));
  view.stacks = capture::FailingCalls("--stack", options.stack);
  TracePrinter printer(view);
  Trace traced(options, printer);
  // Ctrl-C is for the program; the trace ends with it. Not earlier: the program would inherit this.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  std::signal(SIGTERM, end_program);
  std::signal(SIGHUP, end_program);
  const int status = traced.run(options.command.front());
  printer.finish();
  return exit_status(status);
}

/// An option that names errnos; `text` is that in the help.
void add_errnos(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                const std::string& help, const std::string& text = "ERRNO") {
  command.add_option(name, into, help)->option_text(text)->allow_extra_args(false);
}

}  // namespace

void add_trace_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App& command = *app.add_subcommand("trace", "Log what a program does with its TCP sockets")
                           ->group(kMachineCommands);
  command.add_option("PROGRAM", options->command, "The program and its arguments, after --");
  command.add_option("-f,--format", options->view.format, "Choose the format")
      ->option_text("text|truss|json")
      ->check(one_of({"text", "truss", "json"}));
  command.add_option("-o,--out", options->view.file, "Write to a file (default standard error)")
      ->option_text("FILE");
  command.add_flag("--summary", options->view.summary, "At the end, describe each connection");
  command.add_flag("--latency", options->view.latency,
                   "At the end, print how long each kind of call took");
  command.add_flag("-q,--quiet", options->view.quiet, "Do not print the calls");
  add_errnos(command, "--stack", options->stack,
             "Print the stack of a call that fails with this errno, or with any; repeatable",
             "ERRNO|any");
  CLI::Option* const waits =
      command
          .add_option("--waits", options->waits,
                      "Print only the calls that wait at least this long, with their stacks")
          ->option_text("TIME")
          ->check([](const std::string& text) {
            return parse_wait(text) ? "" : "write it as 10ms, 2s or 1m; at least 1ms";
          });
  command
      .add_option("--folded", options->view.folded,
                  "Write the stacks of the waits for flame graph viewers, in milliseconds")
      ->option_text("FILE")
      ->needs(waits);
  command
      .add_option("--flame", options->view.flame,
                  "Write a web page with the flame graph of the waits")
      ->option_text("FILE.html")
      ->needs(waits);
  command
      .add_option("--probe", options->probe,
                  "Print each time that a USDT probe is reached; repeatable")
      ->option_text("PROVIDER:NAME")
      ->allow_extra_args(false);
  command
      .add_option("--probes", options->probes,
                  "List the USDT probes of a program and its libraries, and exit")
      ->option_text("PROGRAM");
  add_errnos(command, "--abort-on", options->abort_on,
             "Abort the program, with a core file, when a call fails with this errno; repeatable");
  add_errnos(command, "--stop-on", options->stop_on,
             "Stop the program, for a debugger, when a call fails with this errno; repeatable");
  command.add_flag("--io-uring", options->io_uring,
                   "Allow io_uring(7), whose operations are not seen");
  command
      .add_option("-p,--pid", options->process,
                  "Refused: a running program cannot be traced without disturbing it")
      ->option_text("PID");
  command.callback([options, &command, &chosen] {
    options->given = command.parse_order().size();
    chosen = [options] { return trace(*options); };
  });
}

}  // namespace tcplab::app
