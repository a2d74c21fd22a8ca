// Prints the tracer's observations, in the format that the user has chosen.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/trace_waits.hh"
#include "base/file_descriptor.hh"
#include "capture/calls/tracer.hh"
#include "capture/event/failing_calls.hh"
#include "capture/stacks/naming_thread.hh"
#include "reports/latency/latency_table.hh"
#include "reports/text/style.hh"
#include "reports/trace/trace_lines.hh"
#include "reports/trace/trace_summary.hh"

namespace tcplab::app {

/// What `tcplab trace` shows.
struct TraceView {
  std::string format = "text";
  std::string file;  // empty: standard error
  bool summary = false;
  bool latency = false;
  bool quiet = false;
  capture::FailingCalls stacks{};  // whose stack is shown
};

/// Where the lines go: a file, or standard error, which the program shares. Standard output is the
/// program's.
class TraceOutput {
public:
  /// Throws base::UsageError if the file cannot be written.
  explicit TraceOutput(const std::string& file);

  void add(const std::string& text) { text_ += text; }
  void flush();
  reports::Style style() const;

private:
  std::string file_;
  base::FileDescriptor opened_;
  std::string text_;
};

class TracePrinter : public capture::CallObserver {
public:
  explicit TracePrinter(const TraceView& view);

  void on_call(capture::TracedProgram program, base::Instant at,
               const capture::Call& call) override;
  void on_unseen(capture::TracedProgram program, pid_t process, const std::string& why) override;
  void on_exit(capture::TracedProgram program) override;
  void on_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) override;
  void on_ended(capture::TracedProgram program, pid_t thread, bool is_last) override;

  /// Prints a sentence about a process.
  void note(const std::string& text);
  void flush();
  /// Prints what is left, the summary, and the latencies.
  void finish();

private:
  void print_waiting();
  void name_stack(base::Instant at, const capture::Call& call);

  TraceView view_;
  TraceOutput out_;
  std::unique_ptr<reports::TraceLines> lines_;
  base::Instant start_;
  // Calls to print at the next flush: their threads are stopped in on_call().
  std::vector<std::pair<base::Instant, capture::Call>> waiting_;
  reports::LatencyTable latency_;
  reports::TraceSummary summary_;
  TraceWaits waits_;
  capture::StackReader stack_reader_;
  // With --stack, its thread prints the lines: they must wait for the names of frames.
  std::unique_ptr<capture::NamingThread> naming_;
};

}  // namespace tcplab::app
