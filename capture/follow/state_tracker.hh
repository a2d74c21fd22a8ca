// Follows the states of both ends of a captured connection through RFC 9293's state diagram (Figure
// 5), from the segments alone. A segment counts as received when the other end shows that it was,
// so a state is reported a little later than the end entered it. Pure; bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capture/follow/segment_header.hh"
#include "capture/follow/segment_reading.hh"

namespace tcplab::capture {

/// The state of one end, and what it has sent to get there.
struct EndState {
  TcpState now = TcpState::closed;
  bool sent_syn = false;
  bool sent_syn_ack = false;
  bool sent_fin = false;
};

class StateTracker {
public:
  /// Takes the next segment, and the reading of it so far: sender, kind of reset, and the numbers
  /// before it. Adds the changes that it shows.
  void note(const SegmentHeader& segment, SegmentReading& reading);

  const EndState& end(std::size_t which) const { return ends_.at(which).state; }
  /// True if a SYN may begin another connection of the same endpoints (section 3.6.1).
  bool is_over() const;
  bool was_established() const { return was_established_; }
  /// True if the capture has the connection's beginning.
  bool is_whole() const { return ends_[0].state.sent_syn && !begins_with_syn_ack_; }
  /// True if the capture begins with the SYN,ACK: the SYN is not in it.
  bool begins_with_syn_ack() const { return begins_with_syn_ack_; }
  /// Returns the end that sent the SYN. Empty if no SYN was captured, or if both ends sent one.
  std::optional<std::size_t> client() const;
  /// Returns the end that sent frames, if the other end evidently sent some too and the capture has
  /// none of them.
  std::optional<std::size_t> only_direction() const;
  /// Returns the end that sent the first FIN.
  std::optional<std::size_t> closed_first() const { return closed_first_; }
  bool have_both_sent_fin() const { return ends_[0].state.sent_fin && ends_[1].state.sent_fin; }
  /// Returns the states that the end may be in: the likely one first, then those that it had before
  /// the segments that were sent to it since its own last one. It may not have received them.
  std::vector<TcpState> possible_states(std::size_t which) const;

private:
  /// States, each once, the latest last. Takes no memory of its own: a capture has many ends.
  class RecentStates {
  public:
    void add(TcpState state);
    void begin_with(TcpState state);
    std::span<const TcpState> all() const { return {states_.data(), size_}; }

  private:
    std::array<TcpState, kTcpStates> states_{TcpState::closed};
    std::uint8_t size_ = 1;
  };
  struct End {
    EndState state;
    bool has_spoken = false;
    bool fin_received = false;  // the other end's, by this one
    RecentStates since_spoke;
    bool was_answered = false;            // its segments show that the other end's arrived
    bool has_left_handshake = false;      // it sent a segment without SYN
    std::uint32_t syn_acks_unheeded = 0;  // SYN,ACKs after the acknowledgment of the first
    std::optional<TcpState> otherwise;    // its state, if it took a doubtful segment otherwise
  };

  void note_unseen_answer(const SegmentHeader& segment, SegmentReading& reading);
  void take_reset(const SegmentHeader& segment, SegmentReading& reading);
  void open(const SegmentHeader& segment, SegmentReading& reading);
  void note_unheeded(const SegmentHeader& segment, SegmentReading& reading);
  void take_acknowledgment(const SegmentHeader& segment, SegmentReading& reading);
  void heed_acknowledgment(const SegmentHeader& segment, SegmentReading& reading);
  void take_fin(SegmentReading& reading);
  void fin_arrives(std::size_t receiver, SegmentReading& reading);
  void fin_acknowledged(std::size_t sender, SegmentReading& reading);
  void move(std::size_t end, TcpState to, SegmentReading& reading);

  std::array<End, 2> ends_;
  std::optional<std::size_t> closed_first_;
  bool was_established_ = false;
  bool begins_with_syn_ack_ = false;
};

}  // namespace tcplab::capture
