// Whether the calls on a socket prove that it was connected. A non-blocking connect(2) returns
// before it is known, and several calls say the same before, after and without a connection.
#pragma once

#include "capture/event/event.hh"

namespace tcplab::capture {

class ConnectionEvidence {
public:
  /// Notes a call on the socket that has returned. `readiness`: the poll(2) events that it found
  /// on the socket; 0 if none.
  void note(const Call& call, unsigned readiness);

  /// Whether a call has proved it, since the last connect(2) that started another attempt.
  bool is_proved() const { return is_proved_; }

private:
  void note_connect(const Call& call);
  void note_readiness(const Call& call, unsigned readiness);
  bool proves(const Call& call) const;

  bool is_proved_ = false;
  bool is_attempted_ = false;    // by a connect(2) that was seen
  bool has_found_room_ = false;  // since that
  bool has_failed_ = false;      // a call has reported an error, or has ended the attempt
};

}  // namespace tcplab::capture
