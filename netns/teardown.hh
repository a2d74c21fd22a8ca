// The slow half of a power cut. The kernel takes 20 to 100 ms to unregister a network device
// (it waits for RCU grace periods), in the system call that closes the last descriptor of a TAP.
// A short-lived child does that waiting, so that the lab's loop goes on.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// Starts a child with copies of `descriptors`. Once finish() is called, for which the caller
/// closes its own copies first, the child runs `task`, lets its copies go, and ends.
class Teardown {
public:
  Teardown(std::span<const int> descriptors, const std::function<void()>& task);

  /// Returns the child's pidfd; it is to be reaped.
  base::FileDescriptor finish();

private:
  base::FileDescriptor start_;  // the child waits for its end of stream
  base::FileDescriptor pidfd_;
};

/// Children whose end is of no interest but that must be reaped: those above, and hosts' inits,
/// which end only when every process of their host has been reaped, by whoever watches it.
class Departed {
public:
  void add(base::FileDescriptor pidfd) { pidfds_.push_back(std::move(pidfd)); }
  /// Reaps those that have ended. Does not wait.
  void reap();
  /// The lab's.
  static Departed& instance();

private:
  std::vector<base::FileDescriptor> pidfds_;
};

}  // namespace tcplab::netns
