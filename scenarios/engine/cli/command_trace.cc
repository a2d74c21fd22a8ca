// `tcplab trace`: the tracer alone, on any machine, without a lab.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/calls/trace_loop.hh"
#include "capture/calls/traced_child.hh"
#include "reports/trace/latency.hh"
#include "reports/trace/trace_lines.hh"
#include "reports/trace/trace_summary.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/terminal/terminal.hh"

namespace tcplab::engine {

namespace {

using capture::TracedProgram;

struct TraceOptions {
  std::vector<std::string> command;
  std::string format = "text";
  std::string file;  // empty: standard error
  bool summary = false;
  bool latency = false;
  bool quiet = false;
  bool io_uring = false;
  std::string process;
};

/// Where the lines go: a file, or standard error, which the program shares. Standard output is the
/// program's.
class TraceOutput {
public:
  explicit TraceOutput(const std::string& file) : file_(file) {
    if (file.empty()) return;
    constexpr mode_t kMode = 0666;  // less the umask
    // Close-on-exec: the program must not have a descriptor more than without the tracer.
    opened_ =
        base::FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    if (!opened_) throw base::UsageError("cannot write " + file + ": " + std::strerror(errno));
  }
  void add(const std::string& text) { text_ += text; }
  void flush() {
    if (text_.empty()) return;
    const int descriptor = file_.empty() ? STDERR_FILENO : opened_.get();
    for (std::size_t written = 0; written < text_.size();) {
      const ssize_t size = ::write(descriptor, text_.data() + written, text_.size() - written);
      if (size == -1 && errno == EINTR) continue;
      base::check("write " + (file_.empty() ? "standard error" : file_), size);
      written += static_cast<std::size_t>(size);
    }
    text_.clear();
  }
  reports::Style style() const {
    return file_.empty() ? style_of(STDERR_FILENO) : reports::Style{};
  }

private:
  std::string file_;
  base::FileDescriptor opened_;
  std::string text_;
};

class TracePrinter : public capture::CallObserver {
public:
  TracePrinter(const TraceOptions& options, TraceOutput& out)
      : options_(options),
        out_(out),
        lines_(reports::trace_lines(format_of(options.format), out.style())),
        start_(base::now()) {
    if (!options_.quiet) out_.add(lines_->begin(start_, base::wall_clock_offset()));
  }

  void on_call(TracedProgram /*program*/, base::Instant at, const capture::Call& call) override {
    if (!options_.quiet) out_.add(lines_->call(at, call));
    if (options_.latency) latency_.add(at, call);
    if (options_.summary) summary_.add(at, call);
  }
  void on_unseen(TracedProgram /*program*/, pid_t process, const std::string& why) override {
    out_.add(lines_->unseen(base::now(), process, why));
  }
  void on_exit(TracedProgram /*program*/) override { out_.flush(); }
  void on_gone(TracedProgram /*program*/) override {}

  void finish() {
    if (options_.summary) out_.add(or_none(summary_.text(start_), "no TCP connections\n"));
    if (options_.latency) out_.add(or_none(latency_.text(start_), "no calls on TCP sockets\n"));
    out_.flush();
  }

private:
  static reports::TraceFormat format_of(const std::string& name) {
    if (name == "json") return reports::TraceFormat::json;
    return name == "truss" ? reports::TraceFormat::truss : reports::TraceFormat::text;
  }
  static std::string or_none(const std::string& text, const std::string& none) {
    return text.empty() ? none : text;
  }

  const TraceOptions& options_;
  TraceOutput& out_;
  std::unique_ptr<reports::TraceLines> lines_;
  base::Instant start_;
  reports::LatencyTable latency_;
  reports::TraceSummary summary_;
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
      "-- PROGRAM ...");
}

[[noreturn]] void explain_exec(const std::string& program, int error) {
  std::string text = "cannot run " + program + ": " + std::strerror(error);
  if (error == EPERM || error == EACCES)
    text += " (is it executable, and does the system allow seccomp filters?)";
  if (error == ENOEXEC) text += " (is it built for this machine, or does it lack its #! line?)";
  throw base::UsageError(text);
}

int trace(const TraceOptions& options) {
  if (!options.process.empty()) refuse_process(options.process);
  if (options.command.empty())
    throw base::UsageError("which program? write it after --: tcplab trace -- curl http://host/");
  TraceOutput out(options.file);
  TracePrinter printer(options, out);
  capture::Tracer tracer(printer);
  capture::TraceLoop loop(tracer);
  // Ctrl-C is for the program; the trace ends with it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  capture::TracedChild child(
      tracer, options.command,
      options.io_uring ? capture::IoUring::allowed : capture::IoUring::refused);
  int watched = child.errors();
  while (tracer.has_tracees()) {
    if (!loop.turn(watched, [&] { out.flush(); })) continue;
    if (const auto error = child.exec_error()) explain_exec(options.command.front(), *error);
    watched = -1;
  }
  printer.finish();
  return exit_status(tracer.status(child.pid()).value_or(0));
}

}  // namespace

void add_trace_command(CommandLine& app, Command& chosen) {
  auto options = std::make_shared<TraceOptions>();
  CommandLine command = app.add_subcommand("trace", "Log what a program does with its TCP sockets")
                            .group(kMachineCommands);
  command.add_option("PROGRAM", options->command, "The program and its arguments, after --");
  command.add_option("-f,--format", options->format, "Choose the format: text, truss or json")
      .check(one_of({"text", "truss", "json"}));
  command.add_option("-o,--out", options->file, "Write to a file (default standard error)");
  command.add_flag("--summary", options->summary, "At the end, describe each connection");
  command.add_flag("--latency", options->latency,
                   "At the end, print how long each kind of call took");
  command.add_flag("-q,--quiet", options->quiet, "Do not print the calls");
  command.add_flag("--io-uring", options->io_uring,
                   "Allow io_uring(7), whose operations are not seen");
  command.add_option("-p,--pid", options->process,
                     "Refused: a running program cannot be traced without disturbing it");
  command.callback([options, &chosen] { chosen = [options] { return trace(*options); }; });
}

}  // namespace tcplab::engine
