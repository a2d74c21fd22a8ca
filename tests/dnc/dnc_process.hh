// dnc as a process under test: its standard input in our hand, its record of calls read as it
// comes. Waiting is for an event of the record, with a limit that only a failure reaches.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// A line of --events; members that it lacks are empty, or -2 for numbers.
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
  std::string line;  // as it was written

  bool enters(const std::string& name) const { return phase == "enter" && call == name; }
  bool returns(const std::string& name) const { return phase == "return" && call == name; }
};

CallEvent parse_call_event(const std::string& line);

/// How a process ended.
struct End {
  int status = -1;  // exit status; -1: it did not exit
  int signal = 0;   // that killed it
};

/// $TCPLAB_BIN/dnc, or where the build puts it beside this test.
std::string dnc_program();

class DncProcess {
public:
  enum class Input { pipe, nothing };

  /// Starts dnc with `--quiet --events N` before `arguments`, unless `recorded` is false.
  explicit DncProcess(const std::vector<std::string>& arguments, bool recorded = true);
  ~DncProcess();  // kills it
  DncProcess(const DncProcess&) = delete;
  DncProcess& operator=(const DncProcess&) = delete;

  pid_t pid() const { return pid_; }
  void type(const std::string& text);
  void end_input() { input_.reset(); }
  void close_events() { events_.reset(); }
  void signal(int number) const;

  /// The next event from where the last wait left off that `wanted` holds for. Throws, with all
  /// that came, when it does not come in time or the record ends.
  CallEvent wait_for(const std::function<bool(const CallEvent&)>& wanted);
  CallEvent wait_for_enter(const std::string& call);
  CallEvent wait_for_return(const std::string& call);
  CallEvent wait_for_return(const std::string& call, int fd);

  /// True when nothing is recorded for that long.
  bool silent_for(std::chrono::milliseconds span);

  /// Waits until a line of standard error, or output, holds that.
  void wait_for_error_text(const std::string& text);
  void wait_for_output(const std::string& text);

  /// Waits for its end, and reads what is left of everything.
  End wait_for_end();
  /// True when it stops (SIGSTOP) in time.
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

/// Runs dnc to its end without input; what it says comes back.
struct Run {
  End end;
  std::string output;
  std::string errors;
};
Run run_dnc(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace tcplab::tests
