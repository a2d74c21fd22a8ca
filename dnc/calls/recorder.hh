// Every call passes through here twice: numbered, timed, shown to the probes, told to each log.
// What must happen at the very call that fails so (--abort-on, --stop-on) happens here, when the
// record of it has left the process.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dnc/calls/call_log.hh"

namespace tcplab::dnc {

struct Traps {
  std::vector<int> abort_on;  // errnos
  std::vector<int> stop_on;
};

class Recorder {
public:
  explicit Recorder(Traps traps = {}) : traps_(std::move(traps)) {}

  void add(std::unique_ptr<CallLog> log) { logs_.push_back(std::move(log)); }

  void enter(CallRecord& record);
  void leave(CallRecord& record);
  void note(std::string_view text);
  void flush();

  std::uint64_t calls() const { return calls_; }

private:
  void spring_traps(const CallRecord& record);

  Traps traps_;
  std::vector<std::unique_ptr<CallLog>> logs_;
  std::uint64_t calls_ = 0;
};

}  // namespace tcplab::dnc
