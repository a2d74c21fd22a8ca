// The waits of the programs of a run in calls on TCP sockets, from its events.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/follow/call_tracker.hh"
#include "reports/story/report.hh"
#include "reports/waits/wait_sums.hh"

namespace tcplab::reports {

struct ProgramWaits {
  std::string host;
  std::string program;
  WaitSums sums;
};

class RunWaits : public Report {
public:
  void event(const capture::Event& event) override;
  /// The calls that have not returned waited until now, if their program still ran.
  void finish() override;

  /// Returns the programs that waited, in the order of their first waits.
  std::vector<ProgramWaits> take();

  /// A call waits if it slept for at least this time: the entry of a call is an event only then.
  static constexpr base::nanoseconds kLeast = std::chrono::milliseconds(1);

private:
  struct Open {
    capture::Call call;
    base::Instant entered{};
    std::uint64_t event = 0;
    capture::TrackedSocketPointer socket;
  };
  using CallId = std::pair<int, std::uint64_t>;             // process, number
  using ProgramName = std::pair<std::string, std::string>;  // host, program
  using OpenCalls = std::map<ProgramName, std::map<CallId, Open>>;

  void note(const capture::Event& event, const capture::Call& call);
  void add(const Open& open, const capture::Call& call, base::Instant until, std::uint64_t event);
  void end_all(const std::map<CallId, Open>& calls);
  void end_host(const std::string& host);
  ProgramWaits& program(const ProgramName& name);

  capture::CallTracker tracker_;
  OpenCalls open_;
  std::vector<ProgramWaits> programs_;
  base::Instant last_{};
};

}  // namespace tcplab::reports
