// What a program knows, from the results of its system calls.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "capture/event/event.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class KnownProgram {
public:
  explicit KnownProgram(std::string name) : name_(std::move(name)) {}

  void changes(const capture::Program& program);
  void calls(const capture::Call& call, const HostNames& names);
  void loses_power();
  void freezes(bool frozen) { frozen_ = frozen; }

  const std::string& name() const { return name_; }
  bool runs() const { return end_.empty(); }
  /// Returns whether a call has returned an error of the connection.
  bool knows_of_error() const { return knows_of_error_; }
  /// Returns "dnc: connected to kodos:8080; wrote 22 bytes, no answer; waits in poll()".
  std::string describe() const;

private:
  /// What the program knows about one descriptor.
  struct Talk {
    std::string peer;
    std::int64_t written = 0;
    std::int64_t read = 0;
    bool is_answered = true;  // it has read data since its last write
    std::string news;         // the last error, or the end of the stream
    bool is_closed = false;
  };

  void returns(const capture::Call& call, const HostNames& names);
  void transfers(Talk& talk, const capture::Call& call);

  std::string name_;
  std::string end_;             // how it ended; empty while it runs
  std::string waits_;           // the call that it is in; empty if none
  std::uint64_t waits_in_ = 0;  // the id of that call
  std::map<int, Talk> talks_;   // by descriptor
  std::string failure_;         // of a call without a connection
  bool frozen_ = false;
  bool knows_of_error_ = false;
};

}  // namespace tcplab::reports
