// The descriptors that poll(2) and select(2) wait for.
#pragma once

#include <poll.h>

#include <cstddef>
#include <map>
#include <vector>

#include "capture/calls/call_stop.hh"
#include "capture/calls/tracee_memory.hh"

namespace tcplab::capture {

/// The most descriptors of one call that are looked at.
inline constexpr std::size_t kMostDescriptors = 1024;

/// Returns the array that poll(2) was given.
std::vector<pollfd> polled(const CallStop& stop);

/// Returns the descriptors in the three sets of select(2), with what they wait for as events of
/// poll(2). At the return, the same sets have what is ready.
std::map<int, int> selected(const CallStop& stop);

/// Returns the descriptors that poll(2) or select(2) waits for, with the events.
std::map<int, int> awaited(const CallStop& stop);

}  // namespace tcplab::capture
