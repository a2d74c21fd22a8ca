// Where the record of calls goes. One class a format: text and truss for people, JSON Lines for
// tcplab. A log is told of a call twice, and may keep what it is told until flush().
#pragma once

#include <string_view>

#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

class CallLog {
public:
  CallLog() = default;
  virtual ~CallLog() = default;
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;

  virtual void enter(const CallRecord& record) = 0;
  virtual void leave(const CallRecord& record) = 0;
  /// Something that is not a call, for people: "pausing until signal".
  virtual void note(std::string_view text) = 0;
  /// Afterwards everything that it was told is out of this process.
  virtual void flush() = 0;
};

}  // namespace tcplab::dnc
