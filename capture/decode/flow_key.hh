// Finds quickly which TCP connection a frame belongs to, for a flooded wire. Reads only the bytes
// that it needs, and allocates no memory.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include "base/bytes.hh"
#include "base/endpoint.hh"

namespace tcplab::capture {

/// One direction of a connection, as in a segment's header.
struct FlowKey {
  base::Endpoint source;
  base::Endpoint destination;

  auto operator<=>(const FlowKey&) const = default;
  FlowKey reversed() const { return {destination, source}; }
};

/// A hash for std::unordered_map.
struct FlowKeyHash {
  std::size_t operator()(const FlowKey& key) const;
};

/// Returns the addresses and ports of a TCP frame. Returns nullopt for a frame that is not TCP, is
/// truncated, or is a fragment other than the first.
std::optional<FlowKey> flow_of(Bytes frame);

}  // namespace tcplab::capture
