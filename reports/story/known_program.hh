// What a program knows: nothing but what its calls have returned.
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
  /// A call has told it that the connection is gone.
  bool knows_of_error() const { return knows_of_error_; }
  /// "dnc: connected to kodos:8080; wrote 22 bytes, no answer; waits in poll()".
  std::string describe() const;

private:
  /// One descriptor's story.
  struct Talk {
    std::string peer;
    std::int64_t written = 0;
    std::int64_t read = 0;
    bool is_answered = true;  // it has read something since its last write
    std::string news;         // the last error, or the end of the stream
    bool is_closed = false;
  };

  void returns(const capture::Call& call, const HostNames& names);
  void transfers(Talk& talk, const capture::Call& call);

  std::string name_;
  std::string end_;             // how it ended
  std::string waits_;           // the call that it is in
  std::uint64_t waits_in_ = 0;  // that call's id
  std::map<int, Talk> talks_;   // by descriptor
  std::string failure_;         // of a call that is about no connection
  bool frozen_ = false;
  bool knows_of_error_ = false;
};

}  // namespace tcplab::reports
