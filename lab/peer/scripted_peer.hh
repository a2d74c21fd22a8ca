// The connections of a peer, and the SYNs that no connection of it has taken yet. A peer answers
// nothing by itself, unless the script tells one of its connections to acknowledge. Pure.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lab/peer/peer_connection.hh"

namespace tcplab::lab {

class ScriptedPeer {
public:
  /// Begins a connection. A former one with the same ends is forgotten. Segments that the host has
  /// sent for it already are waiting.
  std::shared_ptr<PeerConnection> open(const capture::FlowKey& flow, const ForgedLink& link,
                                       std::optional<std::uint32_t> iss);
  /// The same for the oldest SYN to that port, if one has come: the SYN is the connection's first
  /// segment, and link addresses are those of its frame.
  std::shared_ptr<PeerConnection> take_syn(std::uint16_t port, std::optional<std::uint32_t> iss);

  /// Returns a port of its own that it has not used for a connection.
  std::uint16_t next_port() { return next_port_++; }

  /// Takes a frame that the wire has delivered. Returns the frame that answers it, if any.
  std::optional<std::vector<std::uint8_t>> delivered(std::uint64_t frame, netns::Bytes bytes,
                                                     base::Instant at);

  void forget_all();

private:
  std::map<capture::FlowKey, std::shared_ptr<PeerConnection>> connections_;
  std::deque<ArrivedSegment> unclaimed_;  // from a SYN on: of no connection
  std::uint16_t next_port_ = 40'000;
  std::uint32_t next_iss_ = 0;
};

}  // namespace tcplab::lab
