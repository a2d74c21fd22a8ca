#include "netns/zombie_reaper.hh"

#include "netns/clone.hh"

namespace tcplab::netns {

void ZombieReaper::reap() {
  std::erase_if(pidfds_, [](const base::FileDescriptor& pidfd) { return try_reap(pidfd.get()); });
}

ZombieReaper& ZombieReaper::instance() {
  static ZombieReaper reaper;
  return reaper;
}

}  // namespace tcplab::netns
