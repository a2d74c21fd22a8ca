// What to say beside each frame of a capture: what caused it and what it caused. A call, a state
// of either end, a fault, a verb of the script, another frame; a line each, and only what is known.
// On the sender's side stands what caused the frame and its sender's states; on the receiver's
// what befell it on its way, its receiver's states, and the call that it woke.
//
// Calls come later than the frames that they caused: events are put in order first, and a frame
// should be asked about when those of a little later have been told (settle()). Bounded memory.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/comments/call_ledger.hh"
#include "reports/comments/segment_flow.hh"
#include "reports/story/time_order.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class FrameComments {
public:
  void event(const capture::Event& event) { waiting_.add(event); }
  /// Takes into account what happened before that.
  void settle(capture::Instant before);

  /// Nothing of a frame that no event was about: of a flood.
  std::vector<std::string> of_sender(std::uint64_t frame) const;
  std::vector<std::string> of_receiver(std::uint64_t frame, const std::string& host) const;
  bool knows(std::uint64_t frame) const { return notes_.contains(frame); }

private:
  struct Line {
    std::string text;
    ToldCallPointer call{};  // told when the line is: it may have returned by then
  };
  struct Notes {
    std::vector<Line> sent;
    std::vector<std::pair<std::string, Line>> received;  // with the receiver
    std::string sender;
    capture::FlowKey key;
    std::vector<capture::Effect> effects;  // that `sent` has
  };
  using End = std::pair<std::string, capture::FlowKey>;  // a host, and its side first

  void take(const capture::HostUp& up);
  void take(const capture::Program& program);
  void take(const capture::Call& call, capture::Instant at);
  void take(const capture::State& state);
  void take(const capture::Packet& packet);
  void take(const capture::Action& action);

  Notes& notes_of(std::uint64_t frame);
  SegmentFlow& flow_of(const End& end);
  void note_sending(const capture::Packet& packet, Notes& notes);
  void note_cause(const capture::Packet& packet, Notes& notes, const RoleOfSegment& role);
  void note_first(const capture::Packet& packet, Notes& notes);
  void note_end(const capture::Packet& packet, Notes& notes);
  void note_reset(const capture::Packet& packet, Notes& notes, const RoleOfSegment& role);
  void note_fate(const capture::Packet& packet, Notes& notes);
  void wake(const capture::Call& call, const ToldCallPointer& told, capture::Instant at);
  std::string text_of(const Line& line) const;
  bool is_address_of(const std::string& host, const base::IpAddress& address) const;

  TimeOrder waiting_;
  HostNames names_;
  CallLedger calls_;
  std::map<std::uint64_t, Notes> notes_;
  std::map<End, SegmentFlow> flows_;
  std::deque<End> oldest_;
  std::map<std::string, std::vector<base::IpAddress>> addresses_;
  std::map<std::string, std::string> silenced_;  // hosts: by what verb, where in the script
  std::map<std::string, std::string> last_verb_;
  /// Frames that end a connection, and no call that did: the end of the program may follow.
  std::map<std::pair<std::string, std::string>, std::uint64_t> unexplained_;
};

}  // namespace tcplab::reports
