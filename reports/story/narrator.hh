// Turns events into the steps that a reader sees. It chooses the events and their words, joins
// events that belong together (a frame and the states that it caused; the entry and return of a
// call), and shortens times in which nothing happens.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/notice.hh"
#include "reports/story/earlier_events.hh"
#include "reports/story/segments.hh"
#include "reports/story/step.hh"
#include "reports/story/time_order.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class Narrator {
public:
  Narrator(StepSink sink, const Style& style) : sink_(std::move(sink)), style_(style) {}

  /// Draws the steps of an event. `ahead` holds the known later events; those that belong to this
  /// step are removed from it.
  void tell(const capture::Event& event, TimeOrder& ahead);

  /// Begins in the middle of a run, after these events.
  void know(const EarlierEvents& earlier) {
    segments_ = earlier.segments();
    notices_ = earlier.notices();
  }

private:
  using CallKey = std::tuple<std::string, std::string, int, std::uint64_t>;
  using When = std::optional<capture::Instant>;

  void tell_body(const capture::Event& event, const capture::HostUp& up);
  void tell_body(const capture::Event& event, const capture::Program& program);
  void tell_body(const capture::Event& event, const capture::Probe& probe);
  void tell_body(const capture::Event& event, const capture::Flood& flood);
  void tell_body(const capture::Event& event, const capture::Action& action);
  void tell_body(const capture::Event& event, const capture::Verdict& verdict);
  void tell_body(const capture::Event& event, const capture::Kernel& kernel, TimeOrder& ahead);
  void tell_body(const capture::Event& event, const capture::RunStart& run);
  void tell_body(const capture::Event& event, const capture::RunEnd& end);
  void tell_body(const capture::Event& event, const capture::Sending& sending);
  void tell_body(const capture::Event& event, const capture::Call& call, TimeOrder& ahead);
  void tell_stack(const capture::Call& call);
  void tell_injection(const capture::Event& event, const capture::Call& call);
  void tell_entry(const capture::Event& event, const capture::Call& call, TimeOrder& ahead);
  void tell_body(const capture::Event& event, const capture::Packet& packet, TimeOrder& ahead);
  void tell_body(const capture::Event& event, const capture::State& state, TimeOrder& ahead);

  void tell_notice(const capture::Event& event);
  void forget(const capture::Program& program);
  bool hides(const capture::Packet& packet) const;
  std::vector<capture::Event> effects_of(const capture::Packet& packet, TimeOrder& ahead);
  std::vector<StateLine> lines_of(const std::vector<capture::Event>& effects);
  int flow_of(const capture::State& state);
  StyledText program_prefix(const std::string& host, const std::string& program);
  StyledText with_program(const capture::Call& call, CallView view);
  void draw(const capture::Event& event, StepContent content);
  void draw(const Step& step);

  StepSink sink_;
  Style style_;
  HostNames names_;
  Segments segments_;
  audit::NoticeWatch notices_;
  std::set<CallKey> waiting_calls_;
  std::map<std::string, std::string> first_program_;      // host -> program shown without name
  std::map<std::string, std::set<std::string>> running_;  // host -> programs
  std::set<std::string> powerless_;                       // programs whose host lost power
  std::set<std::string> recorded_programs_;               // programs whose calls are recorded
  std::map<std::uint64_t, std::vector<capture::Event>> early_effects_;  // by frame, which is later
  When last_drawn_;
};

}  // namespace tcplab::reports
