// How a system call is made and recorded, and its result.
#pragma once

#include <cerrno>

#include "dnc/calls/recorder.hh"

namespace tcplab::dnc {

/// The result of a call, and errno if the result is -1.
struct CallResult {
  long result = 0;
  int error = 0;

  bool failed() const { return result == -1; }
  int fd() const { return static_cast<int>(result); }
};

/// Records the start of a call, and makes it by calling `call`. The caller records its end.
template <typename Call>
CallResult make_call(Recorder& recorder, CallRecord& record, Call call) {
  recorder.enter(record);
  errno = 0;
  record.result = call();
  record.error = record.failed() ? errno : 0;
  return {.result = static_cast<long>(record.result), .error = record.error};
}

}  // namespace tcplab::dnc
