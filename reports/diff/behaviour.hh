// What a run did, without when: for each program the calls that returned, for each host the states
// of its connections, for each direction the frames, and the verdicts. Two runs behave alike when
// these are alike. Ports, process numbers, sequence numbers and times are left out.
//
// A run ends at its last verdict, whatever its programs and kernels are about to do: how far they
// come is a race. So what was done remembers how much of it came before the last verdict (sure),
// and how much half a second before that (settled: whoever was to do it had the time).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "reports/story/report.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

/// One line of behaviour; the same one after the other counts once, with a number.
struct BehaviourLines {
  /// How far: so many lines, and of the last one so many times. At first: all that there will be.
  struct Position {
    std::size_t lines = SIZE_MAX;
    std::uint64_t times = 0;
  };

  std::vector<std::string> lines;
  std::vector<std::uint64_t> counts;  // of each line
  Position sure;
  Position settled;
  bool is_cut = false;  // there was more than is kept

  void add(std::string line, capture::Instant at);
  /// There was a verdict.
  void mark(capture::Instant at);
  /// How often the line had come by then.
  std::uint64_t times(std::size_t line, const Position& by) const;
  /// "data 22 again (4 times)".
  std::string text(std::size_t line) const;

private:
  void forget(capture::Instant before);

  std::deque<std::pair<capture::Instant, Position>> recent_;  // where additions have led to
  Position older_{0, 0};                                      // where those before them had
};

class Behaviour : public Report {
public:
  void event(const capture::Event& event) override;

  const capture::RunStart& run() const { return run_; }
  /// None where the run was cut off.
  const std::optional<capture::RunEnd>& end() const { return end_; }
  /// By what they are about, in the words of a reader: "calls of kang's dnc".
  const std::map<std::string, BehaviourLines>& lines() const { return lines_; }

private:
  /// The sequence number of the first segment of one direction, and that behind the last octet.
  struct Sent {
    std::uint32_t first = 0;
    std::uint32_t next = 0;
  };

  void note(const capture::Call& call);
  void note(const capture::Packet& packet);
  void note(const capture::Program& program);
  void note(const capture::Verdict& verdict);
  void add(const std::string& title, std::string line);
  bool is_sent_again(const capture::Packet& packet);

  capture::RunStart run_;
  std::optional<capture::RunEnd> end_;
  HostNames names_;
  std::map<std::string, BehaviourLines> lines_;
  capture::Instant now_{};
  std::optional<capture::Instant> verdict_at_;  // the last one's
  std::map<std::pair<capture::Endpoint, capture::Endpoint>, Sent> sent_;
};

}  // namespace tcplab::reports
