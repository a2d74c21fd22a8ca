// What a host's programs see of its boot: an uptime that begins at 0, and a boot id of its own.
#pragma once

#include <ctime>
#include <string>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// Returns the time of the machine's CLOCK_BOOTTIME.
timespec boot_time();

/// In the init of a host: makes a time namespace (time_namespaces(7)) whose CLOCK_BOOTTIME was 0 at
/// `start`, before the init's own start, so that uptime(1) and ps(1) begin there. CLOCK_MONOTONIC
/// stays the machine's: the lab compares times of several hosts. Returns its descriptor, for
/// enter_uptime(); an empty one before Linux 5.6, without CONFIG_TIME_NS, or if a container forbids
/// it.
base::FileDescriptor begin_uptime(const timespec& start);

/// In the process that is about to start a program: enters the time namespace.
void enter_uptime(int time_namespace);

/// Returns a random UUID, as /proc/sys/kernel/random/boot_id has (random(4)).
std::string new_boot_id();

}  // namespace tcplab::netns
