// How many octets a call has moved, and which way.
#pragma once

#include <cstdint>

#include "capture/event/event.hh"

namespace tcplab::capture {

/// Whether the call reads octets that the next one does not: not with MSG_PEEK.
bool reads_octets(const Call& call);
/// Whether the octets of the call go to its socket: of a splice(2), if they do not come from it.
bool writes_octets(const Call& call);

/// Returns how many octets the call has moved: its result, but recvmmsg(2) and sendmmsg(2) return a
/// number of messages, and their octets are the call's value. 0 if that is not known.
std::uint64_t octets_of(const Call& call);

}  // namespace tcplab::capture
