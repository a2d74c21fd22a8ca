// What a run did, without when: for each program the calls that returned, for each host the states
// of its connections, for each direction the frames, and the verdicts. Two runs behave alike when
// these are alike. Ports, process numbers, sequence numbers and times are left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/event.hh"
#include "reports/call_text.hh"
#include "reports/report.hh"

namespace tcplab::reports {

/// One line of behaviour; the same one after the other counts once, with a number.
struct Deeds {
  std::vector<std::string> lines;
  std::vector<std::uint64_t> counts;  // of each line
  bool is_cut = false;                // there was more than is kept

  void add(std::string line);
  /// "data 22 again (4 times)".
  std::string text(std::size_t line) const;
};

class Behaviour : public Report {
public:
  void event(const capture::Event& event) override;

  const capture::RunStart& run() const { return run_; }
  const capture::RunEnd& end() const { return end_; }
  /// By what they are about, in the words of a reader: "calls of kang's dnc".
  const std::map<std::string, Deeds>& deeds() const { return deeds_; }

private:
  void note(const capture::Call& call);
  void note(const capture::Packet& packet);
  void note(const capture::Program& program);

  capture::RunStart run_;
  capture::RunEnd end_;
  HostNames names_;
  std::map<std::string, Deeds> deeds_;
  std::map<std::pair<capture::Endpoint, capture::Endpoint>, std::uint32_t> sent_;  // up to where
};

}  // namespace tcplab::reports
