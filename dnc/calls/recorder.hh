// Records each call at its start and at its end: numbers it, adds the time, fires the probes, and
// writes it to all logs. If a call fails with an errno of --abort-on or --stop-on, the recorder
// aborts or stops dnc after it has flushed the logs.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dnc/calls/call_log.hh"

namespace tcplab::dnc {

/// The errnos of --abort-on and --stop-on.
struct Traps {
  std::vector<int> abort_on;
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
  void check_traps(const CallRecord& record);

  Traps traps_;
  std::vector<std::unique_ptr<CallLog>> logs_;
  std::uint64_t calls_ = 0;
};

}  // namespace tcplab::dnc
