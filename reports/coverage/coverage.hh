// Counts what runs have shown of TCP: edges of the state diagram and results of system calls, with
// the scenarios that showed them. RunCoverage reads one run's events; Coverage sums up runs.
// coverage_text.hh prints it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/coverage/coverage_calls.hh"
#include "reports/coverage/state_diagram.hh"
#include "reports/story/report.hh"

namespace tcplab::reports {

class RunCoverage : public Report {
public:
  using Jump = std::pair<TcpState, TcpState>;

  void event(const capture::Event& event) override;
  void finish() override;

  const std::string& scenario() const { return scenario_; }
  const std::set<const Edge*>& edges() const { return edges_; }
  /// Transitions that took several edges at once, or one of several possible edges.
  const std::set<Jump>& jumps() const { return jumps_; }
  const std::set<CallOutcome>& answers() const { return answers_; }
  const std::vector<std::string>& findings() const { return findings_; }

private:
  struct Change {
    capture::Instant at;
    capture::State state;
    bool has_listener = false;  // its port had a listener at that time
  };
  struct Frame {
    std::string from;
    bool is_tcp = false;
    bool is_rst = false;
  };
  struct Reset {
    capture::Instant at;
    capture::Endpoint source;
    capture::Endpoint destination;
    std::optional<capture::Instant> answers;  // the segment before it, from its destination
  };
  using Direction = std::pair<capture::Endpoint, capture::Endpoint>;

  void take(const capture::Event& event, const capture::State& change);
  void take(const capture::Event& event, const capture::Packet& packet);
  void note_listener(const capture::State& change);
  void place(const Change& change);
  Trigger trigger_of(const Change& change) const;
  const Reset* reset_near(const Change& change) const;
  bool is_aborted_silently(const Change& change) const;

  std::string scenario_;
  std::set<std::string> peers_;  // hosts whose segments the script sends: no TCP has their states
  std::vector<Change> changes_;
  std::map<std::uint64_t, Frame> frames_;  // by frame number
  std::vector<Reset> resets_;
  std::map<Direction, capture::Instant> newest_segment_;
  std::vector<std::pair<std::string, capture::Instant>> closes_;  // host, time of return
  std::set<std::pair<std::string, std::uint16_t>> listeners_;     // host and port
  std::set<const Edge*> edges_;
  std::set<Jump> jumps_;
  std::set<CallOutcome> answers_;
  std::vector<std::string> findings_;
};

/// Scenario names, sorted; each once, even if it ran several times.
using Scenarios = std::set<std::string>;

struct UnexplainedTransition {
  std::string scenario;
  std::string what;
};

class Coverage {
public:
  /// Adds a run. Call its finish() first.
  void add(const RunCoverage& run);

  int runs() const { return runs_; }
  const Scenarios& seen(const Edge& edge) const;
  const Scenarios& seen(const CallOutcome& answer) const;
  const std::map<RunCoverage::Jump, Scenarios>& jumps() const { return jumps_; }
  const std::map<CallOutcome, Scenarios>& answers() const { return answers_; }
  const std::vector<UnexplainedTransition>& findings() const { return findings_; }

private:
  int runs_ = 0;
  std::map<const Edge*, Scenarios> edges_;
  std::map<RunCoverage::Jump, Scenarios> jumps_;
  std::map<CallOutcome, Scenarios> answers_;
  std::vector<UnexplainedTransition> findings_;
};

}  // namespace tcplab::reports
