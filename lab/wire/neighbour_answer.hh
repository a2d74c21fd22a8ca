// Reads ARP requests (RFC 826) and neighbour solicitations (RFC 4861), and answers them for a host
// without a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/decode/decoded_frame.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

/// Returns the address whose link address a host asks for with this frame; nothing if the frame is
/// no such question. A host that looks for a duplicate of its own address asks for no link address.
std::optional<base::IpAddress> asked_neighbour(const capture::DecodedFrame& frame);

/// Returns the frame that answers a question for the link address of this NIC; nothing if the frame
/// is no such question.
std::optional<std::vector<std::uint8_t>> neighbour_answer(const capture::DecodedFrame& frame,
                                                          const netns::NicConfig& nic);

}  // namespace tcplab::lab
