// Starting a program inside a host's namespaces as a child of the lab, which so is told of its
// end, however deep the host's pid namespace is.
#pragma once

#include <string>

#include "netns/host_config.hh"

namespace tcplab::netns {

/// Enters the namespaces of the process behind `init_pidfd` (setns(2) with a pidfd, Linux 5.8)
/// and runs the program there, in a session of its own (a Ctrl-C at the lab's terminal is the
/// lab's alone). Returns when it has been executed. `host` is for the error's text.
Spawned spawn_program(const std::string& host, int init_pidfd, const SpawnRequest& request);

}  // namespace tcplab::netns
