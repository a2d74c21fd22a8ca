// A run as a file for Perfetto: a process for each host, with a row for the frames that it sends
// and one for those that it receives, a row for the states of each connection, and a row for the
// calls of each thread. Arrows lead from a frame's sender to its receiver. Unlike other reports,
// it keeps everything in memory: its file is sorted.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "reports/perfetto/trace_file.hh"
#include "reports/story/report.hh"
#include "reports/story/segments.hh"

namespace tcplab::reports {

class RunTrace : public Report {
public:
  void event(const capture::Event& event) override;
  /// Ends what is still open: states, calls that have not returned, times without power.
  void finish() override;
  /// Returns the file, after finish().
  std::string text();

private:
  using Slice = TraceFile::Slice;
  using RowKey = std::pair<std::string, std::string>;  // host, row
  using CallKey = std::tuple<std::string, std::string, int, std::uint64_t>;
  struct OpenCall {
    capture::Instant at{};
    capture::Call call;
  };

  void see(const capture::Event& event, const capture::HostUp& up);
  void see(const capture::Event& event, const capture::Program& program);
  void see(const capture::Event& event, const capture::Call& call);
  void see(const capture::Event& event, const capture::State& state);
  void see(const capture::Event& event, const capture::Packet& packet);
  void see(const capture::Event& event, const capture::Flood& flood);
  void see(const capture::Event& event, const capture::Action& action);
  void see(const capture::Event& event, const capture::Verdict& verdict);
  void see(const capture::Event& event, const capture::Probe& probe);
  void see(const capture::Event& event, const capture::Kernel& kernel);
  void see(const capture::Event& event, const capture::Sending& sending);

  int process_of(const std::string& host);
  int row(const std::string& host, const std::string& name, int rank);
  /// The row of a thread.
  template <typename Body>
  int row_of(const Body& body);
  void tell(const capture::Event& event, const std::string& remark);
  void end_calls(const std::string& host, const std::string& program, capture::Instant at);
  void end_states(const std::string& host, capture::Instant at);
  void tell_fate(const capture::Packet& packet, Slice slice);

  TraceFile file_;
  Segments segments_;
  std::optional<capture::RunStart> run_;
  std::optional<capture::Instant> start_;
  capture::Instant last_{};
  std::map<std::string, int> processes_;
  std::map<RowKey, int> rows_;
  std::map<CallKey, OpenCall> calls_;           // that have not returned
  std::map<RowKey, Slice> states_;              // of each row, the last one
  std::map<std::string, Slice> without_power_;  // by host
  std::map<std::uint64_t, Slice> sent_;         // by frame
};

}  // namespace tcplab::reports
