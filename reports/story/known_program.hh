// What a program knows, from the results of its system calls.
#pragma once

#include <map>
#include <string>

#include "capture/follow/call_tracker.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class KnownProgram {
public:
  explicit KnownProgram(std::string name) : name_(std::move(name)) {}

  void changes(const capture::Program& program);
  void calls(const capture::Call& call, capture::Instant at, const HostNames& names);
  void loses_power();
  void freezes(bool frozen) { frozen_ = frozen; }

  const std::string& name() const { return name_; }
  bool runs() const { return end_.empty(); }
  /// Returns whether a call has returned an error of the connection.
  bool knows_of_error() const { return knows_of_error_; }
  /// Returns "dnc: connected to kodos:8080; wrote 22 bytes, no answer; waits in poll()".
  std::string describe() const;

private:
  /// What the program knows about one socket.
  struct Talk {
    capture::TrackedSocketPointer socket;
    std::string peer;
    bool is_connecting = false;  // connect(2) goes on, as far as the program knows
    bool is_answered = true;     // it has read data since its last write
    std::string news;            // the last error, or the end of the stream
  };

  void returns(const capture::CallTracker::Step& step);
  void transfers(Talk& talk, const capture::Call& call);
  /// Returns the call that it is in, of several threads the newest; empty if none.
  std::string wait() const;

  std::string name_;
  std::string host_;           // of its calls
  std::string end_;            // how it ended; empty while it runs
  std::map<int, Talk> talks_;  // by descriptor: the newest that was a connection
  bool frozen_ = false;
  bool knows_of_error_ = false;
  capture::CallTracker tracker_;
};

}  // namespace tcplab::reports
