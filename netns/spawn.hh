// Starts a program in a host's namespaces. It is a child of the lab, so the lab is notified when
// it ends, although it runs in another pid namespace.
#pragma once

#include <functional>
#include <string>

#include "netns/host_config.hh"
#include "netns/machine_view.hh"

namespace tcplab::netns {

/// A host, as a program enters it.
struct SpawnPlace {
  std::string host;  // its name, for error messages
  int init_pidfd = -1;
  int time_namespace = -1;            // -1: the machine's
  const MachineView* view = nullptr;  // of the host's files; null if it is not contained
};

/// Starts a program in the namespaces of the process that `init_pidfd` refers to (setns(2) with a
/// pidfd, Linux 5.8), and returns once execvp(3) has succeeded. The program has its own session, so
/// that Ctrl-C at the terminal reaches only the lab.
Spawned spawn_program(const SpawnPlace& place, const SpawnRequest& request);

/// Calls a function in a child that has the root folder and the mounts of that process. Returns the
/// text of its exception, empty if it has returned.
std::string do_inside(int init_pidfd, const std::function<void()>& task);

}  // namespace tcplab::netns
