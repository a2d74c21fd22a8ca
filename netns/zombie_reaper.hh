// Children that end at a time when nobody waits for them.
#pragma once

#include <vector>

#include "base/file_descriptor.hh"

namespace tcplab::netns {

/// Children to reap later: the inits of hosts that were powered off. An init ends only once every
/// process of its host has been reaped, and its NICs are gone.
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
