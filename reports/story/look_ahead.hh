// Questions about the events that come next, asked so that a line can say more than one of them.
#pragma once

#include <optional>
#include <vector>

#include "reports/story/time_order.hh"

namespace tcplab::reports {

/// The return of the call that `entry` entered, taken out of `ahead`, if nothing that a reader
/// would want to see in between comes first and it comes soon.
std::optional<capture::Event> take_return(const capture::Call& entry, capture::Instant entered,
                                          TimeOrder& ahead);

/// The states that this appearance of the frame caused, and what its receiver's kernel said of it,
/// taken out of `ahead`.
std::vector<capture::Event> take_effects(const capture::Packet& packet, TimeOrder& ahead);

/// True when the frame itself comes later than what it caused.
bool has_packet(std::uint64_t frame, TimeOrder& ahead);

}  // namespace tcplab::reports
