// Looks for later events that belong into the same line of a report.
#pragma once

#include <optional>
#include <vector>

#include "reports/story/time_order.hh"

namespace tcplab::reports {

/// Removes the return of the call `entry` from `ahead`, and returns it. Returns nothing if the call
/// blocks, or if an event that the reader should see comes first.
std::optional<capture::Event> take_return(const capture::Call& entry, capture::Instant entered,
                                          TimeOrder& ahead);

/// Removes from `ahead` the states that this event of the frame caused, and the kernel events about
/// it, and returns them.
std::vector<capture::Event> take_effects(const capture::Packet& packet, TimeOrder& ahead);

/// Returns whether the frame's own event comes after the events that it caused.
bool has_packet(std::uint64_t frame, TimeOrder& ahead);

}  // namespace tcplab::reports
