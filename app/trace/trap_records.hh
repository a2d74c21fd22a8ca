// Writes the records of the calls at which `tcplab trace` has aborted or stopped a process.
#pragma once

#include <map>
#include <string>

#include "capture/calls/call_traps.hh"
#include "look/failure_recorder.hh"

namespace tcplab::app {

class TrapRecords : public capture::TrapRecorder {
public:
  void note(base::Instant at, const capture::Call& call) override { recorder_.note(call, at); }
  void failed(base::Instant at, const capture::Call& call, bool aborts) override;
  std::string place(pid_t process) override;

private:
  struct Written {
    std::string path;     // empty: it was not
    std::string problem;  // why not
    look::FailureRecord record;
  };

  look::FailureRecorder recorder_;
  std::map<pid_t, Written> written_;
};

}  // namespace tcplab::app
