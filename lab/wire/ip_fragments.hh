// Divides an IP packet into fragments (RFC 791 section 3.2, RFC 8200 section 4.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "netns/port.hh"

namespace tcplab::lab {

/// Returns the frames of the fragments. Each has `size` bytes of the packet's payload, the last one
/// what is left. The packet has no IP options and no extension headers. Throws base::UsageError
/// unless `size` is a multiple of 8.
std::vector<std::vector<std::uint8_t>> in_fragments(netns::Bytes frame, std::size_t size);

}  // namespace tcplab::lab
