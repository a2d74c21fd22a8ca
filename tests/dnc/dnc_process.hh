// Runs dnc as a process under test. A test types into its standard input, and waits for events in
// its log of calls. Each wait has a time limit, which is reached only if the test fails.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// A line of --events. Missing members are empty; missing numbers are -2.
struct CallEvent {
  std::string phase;
  std::string call;
  std::uint64_t id = 0;
  std::int64_t t = 0;
  std::int64_t entered = 0;
  int fd = -2;
  std::string args;
  std::int64_t result = -2;
  std::string error;
  std::string value;
  std::string revents;
  std::string stdin_revents;
  std::string data;
  std::string local;
  std::string remote;
  std::string line;  // the JSON text

  bool enters(const std::string& name) const { return phase == "enter" && call == name; }
  bool returns(const std::string& name) const { return phase == "return" && call == name; }
};

CallEvent parse_call_event(const std::string& line);

/// How a process ended.
struct End {
  int status = -1;  // the exit status; -1 if a signal killed it
  int signal = 0;   // the signal that killed it; 0 if none
};

/// Returns the path of dnc: $TCPLAB_BIN/dnc, or the build's bin/dnc.
std::string dnc_program();

class DncProcess {
public:
  enum class Input { pipe, nothing };

  /// Starts dnc with `--quiet --events N` before `arguments`, unless `recorded` is false.
  explicit DncProcess(const std::vector<std::string>& arguments, bool recorded = true);
  ~DncProcess();  // kills dnc
  DncProcess(const DncProcess&) = delete;
  DncProcess& operator=(const DncProcess&) = delete;

  pid_t pid() const { return pid_; }
  void type(const std::string& text);
  void end_input() { input_.reset(); }
  void close_events() { events_.reset(); }
  void signal(int number) const;

  /// Waits for the next event that `wanted` accepts, starting after the event of the last wait.
  /// Throws, with the transcript, if it does not come in time or the log ends.
  CallEvent wait_for(const std::function<bool(const CallEvent&)>& wanted);
  CallEvent wait_for_enter(const std::string& call);
  CallEvent wait_for_return(const std::string& call);
  CallEvent wait_for_return(const std::string& call, int fd);

  /// Returns true if dnc logs nothing for this long.
  bool silent_for(std::chrono::milliseconds span);

  /// Wait until standard error or standard output contains this text.
  void wait_for_error_text(const std::string& text);
  void wait_for_output(const std::string& text);

  /// Waits for the end of dnc, and reads all its remaining output.
  End wait_for_end();
  /// Returns true if dnc stops (SIGSTOP) in time.
  bool wait_for_stop();

  const std::vector<CallEvent>& events() const { return seen_; }
  const std::string& output() const { return output_text_; }
  const std::string& errors() const { return error_text_; }
  std::string transcript() const;

private:
  bool read_more(int timeout_milliseconds);
  bool take_bytes(base::FileDescriptor& from, std::string& into);
  void take_lines();
  void wait_for_text(const std::string& in, const std::string& text);

  pid_t pid_ = -1;
  base::FileDescriptor input_;
  base::FileDescriptor output_;
  base::FileDescriptor errors_;
  base::FileDescriptor events_;
  std::string output_text_;
  std::string error_text_;
  std::string event_bytes_;
  std::vector<CallEvent> seen_;
  std::size_t waited_to_ = 0;
};

/// The result of run_dnc(), which runs dnc to its end without input.
struct Run {
  End end;
  std::string output;
  std::string errors;
};
Run run_dnc(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace tcplab::tests
