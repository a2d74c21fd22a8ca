// Comments each frame of a capture: what caused it and what it caused. A cause is a system call, a
// state, a fault, a verb of the script or another frame. Each has a line; unknown causes have none.
// The sender's comment has the cause and the sender's states. The receiver's comment has the
// faults, the receiver's states, and the call that the frame woke.
//
// Call events arrive later than the frames that they caused. So events are put in order of time
// first; settle() takes in those before an instant. Bounded memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capture/follow/packet_tracker.hh"
#include "reports/comments/call_ledger.hh"
#include "reports/comments/segment_flow.hh"
#include "reports/story/time_order.hh"
#include "reports/text/call_text.hh"

namespace tcplab::reports {

class FrameComments {
public:
  explicit FrameComments(std::chrono::milliseconds lateness = TimeOrder::kLateness)
      : waiting_(lateness) {}

  void event(const capture::Event& event) { waiting_.add(event); }
  /// Takes in the events before that instant.
  void settle(capture::Instant before);

  /// Returns the lines of a comment; none for a frame without an event (a flood).
  std::vector<std::string> of_sender(std::uint64_t frame) const;
  std::vector<std::string> of_receiver(std::uint64_t frame, const std::string& host) const;
  bool knows(std::uint64_t frame) const { return notes_.contains(frame); }

private:
  struct Line {
    std::string text;
    capture::TrackedCallPointer call{};  // formatted with the line: it may have returned by then
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
  void note_sending(const capture::Packet& packet, Notes& notes, capture::SegmentTraits traits);
  void note_cause(const capture::Packet& packet, Notes& notes, const RoleOfSegment& role);
  void note_first(const capture::Packet& packet, Notes& notes);
  void note_end(const capture::Packet& packet, Notes& notes);
  void note_reset(const capture::Packet& packet, Notes& notes, const RoleOfSegment& role);
  void note_fate(const capture::Packet& packet, Notes& notes);
  void wake(const capture::Call& call, const capture::TrackedCallPointer& entry,
            capture::Instant at);
  std::string text_of(const Line& line) const;
  bool is_address_of(const std::string& host, const base::IpAddress& address) const;

  TimeOrder waiting_;
  HostNames names_;
  CallLedger calls_;
  std::map<std::uint64_t, Notes> notes_;
  capture::PacketTracker tracker_;
  std::map<End, SegmentFlow> flows_;
  std::deque<End> oldest_;
  std::map<std::string, std::vector<base::IpAddress>> addresses_;
  std::map<std::string, std::string> silenced_;  // host: the verb, and its line in the script
  std::map<std::string, std::string> last_verb_;
  /// Frames that end a connection without a call. The end of the program may follow and explain it.
  std::map<std::pair<std::string, std::string>, std::uint64_t> unexplained_;
};

}  // namespace tcplab::reports
