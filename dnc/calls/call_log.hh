// The interface of a log of calls, with one class for each format: text and truss for people, JSON
// Lines for tcplab. A log may buffer its output until flush().
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

  /// Logs a call that dnc is about to make.
  virtual void enter(const CallRecord& record) = 0;
  /// Logs a call that has returned.
  virtual void leave(const CallRecord& record) = 0;
  /// Logs a remark for people that is not a call: "pausing until signal".
  virtual void note(std::string_view text) = 0;
  /// Writes everything that is still buffered.
  virtual void flush() = 0;
};

}  // namespace tcplab::dnc
