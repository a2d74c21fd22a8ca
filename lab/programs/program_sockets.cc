#include "lab/programs/program_sockets.hh"

namespace tcplab::lab {

void ProgramSockets::add(const ConnectionKey& key) {
  if (connections_.insert(key).second && on_connection) on_connection(key);
}

/// The recorded calls of its workers name their connections. Without recorded calls, the answer is
/// unknown until read_descriptors() has read the descriptors of the workers.
netns::Holding ProgramSockets::look_for(std::uint32_t inode) const {
  if (!state_.is_running) return netns::Holding::no;
  const netns::Holding main = process_.look_for(inode);
  const bool may_be_workers = main == netns::Holding::no && !calls_.are_recorded();
  return may_be_workers ? netns::Holding::unknown : main;
}

void ProgramSockets::read_descriptors() { process_.read_sockets(!calls_.are_recorded()); }

}  // namespace tcplab::lab
