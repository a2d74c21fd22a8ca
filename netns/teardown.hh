// Closes a host's descriptors in a short-lived child. Closing the last descriptor of a TAP takes 20
// to 100 ms, because the kernel unregisters the network device and waits for RCU grace periods. The
// child waits, so that the lab's event loop does not.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// Starts a child that inherits `descriptors`. The caller closes its own copies and then calls
/// finish(): the child runs `task`, exits, and so closes the last copies.
class Teardown {
public:
  Teardown(std::span<const int> descriptors, const std::function<void()>& task);

  /// Returns the child's pidfd; the caller must reap the child.
  base::FileDescriptor finish();

private:
  base::FileDescriptor start_;  // the child waits until this end of the pipe is closed
  base::FileDescriptor pidfd_;
};

/// Children to reap later: those of Teardown, and the inits of hosts that were powered off. An init
/// ends only once every process of its host has been reaped.
class ZombieReaper {
public:
  void add(base::FileDescriptor pidfd) { pidfds_.push_back(std::move(pidfd)); }
  /// Reaps the children that have ended. Never waits.
  void reap();
  static ZombieReaper& instance();

private:
  std::vector<base::FileDescriptor> pidfds_;
};

}  // namespace tcplab::netns
