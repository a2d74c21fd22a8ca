// Quick answers about a TCP frame, straight from its bytes, for a wire that is flooded: whose
// it is, and whether it can change a state. No allocation, no decoding of what is not asked.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "base/bytes.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

/// One direction of a connection, as the segment's header has it.
struct FlowKey {
  base::Endpoint source;
  base::Endpoint destination;

  auto operator<=>(const FlowKey&) const = default;
  FlowKey reversed() const { return {destination, source}; }
};

/// For std::unordered_map.
struct FlowKeyHash {
  std::size_t operator()(const FlowKey& key) const;
};

/// Nothing for a frame that is not TCP, that is a fragment but the first, or that breaks off.
std::optional<FlowKey> flow_of(Bytes frame);

/// Has the segment SYN, FIN or RST set? False for what is not TCP.
bool can_change_state(Bytes frame);

}  // namespace tcplab::capture
