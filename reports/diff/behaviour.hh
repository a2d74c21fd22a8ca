// Records what a run did, without times: the calls of each program that returned, the states of
// each host's connections, the frames of each direction, and the verdicts. Two runs behave alike if
// these are equal. Ports, process IDs, sequence numbers and times are left out.
//
// A run ends at its last verdict, whatever its programs and kernels are about to do: how far they
// get is a race. So each list remembers its length at the last verdict (`sure`) and half a second
// before that (`settled`: everyone had time to get there).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/event/event.hh"
#include "capture/follow/packet_tracker.hh"
#include "reports/story/report.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

/// Lines of behaviour. Equal lines in a row are one line with a count, unless they have words.
struct BehaviourLines {
  /// A length: the number of lines, and the count of the last one. By default: everything.
  struct Position {
    std::size_t lines = SIZE_MAX;
    std::uint64_t times = 0;
  };

  std::vector<std::string> lines;
  std::vector<std::uint64_t> counts;         // of each line
  std::map<std::size_t, std::string> words;  // for people, in place of the line at this index
  Position sure;
  Position settled;
  bool is_cut = false;  // later lines were dropped: there were too many

  /// `shown`: its words; empty if it has none.
  void add(std::string line, capture::Instant at, std::string shown = {});
  /// Notes a verdict.
  void mark(capture::Instant at);
  /// Returns the count of a line at a position.
  std::uint64_t times(std::size_t line, const Position& by) const;
  /// Returns a line with its count: "TCP P. data 22 retransmission (4 times)".
  std::string text(std::size_t line) const;
  /// The same in its words, if it has any.
  std::string in_words(std::size_t line) const;

private:
  void forget(capture::Instant before);

  std::deque<std::pair<capture::Instant, Position>> recent_;  // the lengths after each addition
  Position older_{0, 0};                                      // the length before those
};

class Behaviour : public Report {
public:
  void event(const capture::Event& event) override;

  const capture::RunStart& run() const { return run_; }
  /// Returns the run's last event; none if the run was cut off.
  const std::optional<capture::RunEnd>& end() const { return end_; }
  /// Returns the lists by title: "calls of kang's dnc".
  const std::map<std::string, BehaviourLines>& lines() const { return lines_; }

private:
  void note(const capture::Call& call);
  void note(const capture::Packet& packet);
  void note(const capture::Program& program);
  void note(const capture::Verdict& verdict);
  void note(const capture::Unchecked& unchecked);
  void add(const std::string& title, std::string line);
  void add_verdict(const std::string& what, const std::string& code, const std::string& expected);
  std::string segment_line(const capture::Packet& packet);

  capture::RunStart run_;
  std::optional<capture::RunEnd> end_;
  HostNames names_;
  std::map<std::string, BehaviourLines> lines_;
  capture::Instant now_{};
  std::optional<capture::Instant> verdict_at_;  // the last one's
  capture::PacketTracker tracker_;
};

}  // namespace tcplab::reports
