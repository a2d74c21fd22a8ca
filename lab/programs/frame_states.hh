// Concludes the states of one host's connections from the frames that it has sent and received, for
// a host whose TCP stack cannot be asked. Like a capture at its NIC (capture/follow/state_tracker):
// a change shows when a frame shows it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "capture/decode/decoded_frame.hh"
#include "capture/follow/conversation.hh"
#include "lab/watch/connection_key.hh"

namespace tcplab::lab {

class FrameStates {
public:
  /// Takes the next TCP frame of the host. Returns the states that it shows, the oldest first.
  std::vector<std::pair<ConnectionKey, capture::TcpState>> note(const capture::DecodedFrame& frame,
                                                                bool is_sent, base::Instant at);

private:
  // At once. Connections beyond have no states.
  static constexpr std::size_t kMost = 10'000;

  std::map<ConnectionKey, capture::Conversation> conversations_;
};

}  // namespace tcplab::lab
