// What one segment of a captured connection is and does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "capture/event/event.hh"
#include "capture/follow/first_probes.hh"
#include "capture/follow/sequence_tracker.hh"

namespace tcplab::capture {

enum class ResetKind : std::uint8_t {
  none,
  refused,        // it answers a SYN
  no_connection,  // it answers a segment of a connection that its kernel does not have
  abort,          // RST,ACK in a live connection: ABORT, or closed with unread data
  gave_up,        // the same, after probes or retransmissions that were not answered
  after_close,    // its sender had sent a FIN: the program is gone
  out_of_place,   // the numbers are neither end's: forged, or of an earlier connection
};

struct StateChange {
  std::size_t end = 0;
  TcpState from = TcpState::closed;
  TcpState to = TcpState::closed;
};

struct SegmentReading {
  std::size_t sender = 0;  // which end
  SegmentTraits traits;
  ResetKind reset = ResetKind::none;
  bool closes_window = false;  // announces a window of zero; the sender's last segment did not
  bool opens_window = false;   // announces a window; the sender's last segment announced zero
  bool shows_unseen_answer = false;  // the capture has nothing of the other end, which has spoken
  std::array<SequenceVariables, 2> before;  // of both ends, before the segment
  std::vector<StateChange> changes;
  std::optional<FirstProbes> first_probes;
};

}  // namespace tcplab::capture
