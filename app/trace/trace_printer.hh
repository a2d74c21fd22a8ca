// Prints the tracer's observations, in the format that the user has chosen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/trace/trace_waits.hh"
#include "app/trace/wait_watch.hh"
#include "base/file_descriptor.hh"
#include "capture/calls/tracer.hh"
#include "capture/event/failing_calls.hh"
#include "capture/stacks/naming_thread.hh"
#include "reports/latency/latency_table.hh"
#include "reports/text/style.hh"
#include "reports/trace/trace_lines.hh"
#include "reports/trace/trace_summary.hh"
#include "reports/waits/folded_waits.hh"
#include "reports/waits/wait_sums.hh"

namespace tcplab::app {

/// What `tcplab trace` shows.
struct TraceView {
  std::string format = "text";
  std::string file;  // empty: standard error
  bool summary = false;
  bool latency = false;
  bool quiet = false;
  capture::FailingCalls stacks{};  // whose stack is shown
  /// Shows only the calls that wait for at least that long, and those of `stacks`.
  std::optional<base::nanoseconds> waits{};
  std::string threshold;  // the same, as the user wrote it: "10ms"
  std::string folded;     // the file for the stacks of the waits; empty for none
  std::string flame;      // the file for their flame graph; empty for none
  std::string command;    // the program and its arguments
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
  void on_other_return(capture::TracedProgram program, pid_t thread) override;
  void on_probe(capture::TracedProgram program, base::Instant at,
                const capture::Probe& probe) override;
  void on_unseen(capture::TracedProgram program, pid_t process, const std::string& why) override;
  void on_exit(capture::TracedProgram program) override;
  void on_signal(pid_t process, pid_t thread, int signal, bool is_interrupted) override;
  void on_ended(capture::TracedProgram program, pid_t thread, bool is_last) override;

  /// Prints a sentence about a process.
  void note(const std::string& text);
  void flush();
  /// Reads the stacks of calls that have waited long enough. Returns when to call it again.
  std::optional<base::Instant> read_waits();
  /// Prints what is left, the summary, and the latencies. Writes the stacks of the waits.
  void finish();

private:
  void add_line(std::function<std::string()> line);
  void print_waiting();
  void name_stack(base::Instant at, const capture::Call& call);
  void add_wait(WatchedWait watched);
  void write_waits();

  TraceView view_;
  TraceOutput out_;
  std::unique_ptr<reports::TraceLines> lines_;
  base::Instant start_;
  // Calls to print at the next flush: their threads are stopped in on_call().
  std::vector<std::pair<base::Instant, capture::Call>> waiting_;
  reports::LatencyTable latency_;
  reports::TraceSummary summary_;
  TraceWaits blocked_;  // for the summary
  capture::StackReader stack_reader_;
  // With --stack and --waits, its thread prints the lines: they must wait for the names of frames.
  std::unique_ptr<capture::NamingThread> naming_;
  std::unique_ptr<WaitWatch> waits_;  // null without --waits
  reports::FoldedWaits folded_;       // of the naming thread
  reports::WaitSums wait_sums_;       // of the naming thread
};

}  // namespace tcplab::app
