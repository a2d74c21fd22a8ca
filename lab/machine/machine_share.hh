// What this machine, or the container that tcplab runs in, has for the programs of runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tcplab::lab {

/// Returns how many bytes of memory are free or can be freed, and at most what the control groups
/// allow (cgroups(7)).
std::uint64_t available_memory();

/// Returns how many processes and threads there can be: by the kernel, the limit of this process
/// (RLIMIT_NPROC) and the control groups.
std::uint64_t possible_processes();

/// Returns the path of the control group in a text of /proc/self/cgroup: in the hierarchy of that
/// controller (version 1), or in that of version 2 if the name is empty. Empty if there is none.
std::string control_group(std::string_view text, std::string_view controller);

}  // namespace tcplab::lab
