// How long the calls of each program of a run took, and which calls had not returned when it ended.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/latency/latency_table.hh"
#include "reports/story/report.hh"

namespace tcplab::reports {

/// A call that had not returned when the run ended.
struct OpenCall {
  std::string call;  // "read"
  base::Instant entered{};
  base::nanoseconds span{};  // until the run ended
  int process = 0;
  std::uint64_t event = 0;  // the number of the event of its entry
};

struct ProgramLatency {
  std::string host;
  std::string program;
  LatencyTable table;
  std::vector<OpenCall> open;  // in the order of their entry
};

class RunLatency : public Report {
public:
  void event(const capture::Event& event) override;

  /// Returns the programs that made calls, in the order of their first calls.
  std::vector<ProgramLatency> programs() const;
  /// Returns when the run began; empty before its first event.
  std::optional<base::Instant> start() const { return start_; }

private:
  struct Watched {
    ProgramLatency latency;
    std::map<std::pair<int, std::uint64_t>, OpenCall> entered;  // by process and number
  };
  Watched& program(const std::string& host, const std::string& name);

  std::vector<Watched> programs_;
  std::optional<base::Instant> start_;
  base::Instant last_{};
};

/// Returns the latencies of all programs, each below its name; empty if no call was recorded.
std::string run_latency_text(const RunLatency& latency);

}  // namespace tcplab::reports
