// The connections that a program made, accepted or holds, and the search for sockets in its
// descriptors.
#pragma once

#include <cstdint>
#include <functional>
#include <set>

#include "lab/programs/connection_table.hh"
#include "lab/programs/program_calls.hh"

namespace tcplab::lab {

class ProgramSockets {
public:
  ProgramSockets(netns::RunningProgram& process, const ProgramState& state,
                 const ProgramCalls& calls)
      : process_(process), state_(state), calls_(calls) {}
  ProgramSockets(const ProgramSockets&) = delete;
  ProgramSockets& operator=(const ProgramSockets&) = delete;

  const std::set<ConnectionKey>& connections() const { return connections_; }
  bool owns(const ConnectionKey& key) const { return connections_.contains(key); }
  void add(const ConnectionKey& key);
  /// Called with each connection that is added: recorded events are now about the program.
  std::function<void(const ConnectionKey&)> on_connection;

  /// Returns whether one of the program's descriptors is the socket with that inode
  /// (proc_pid_fd(5)).
  netns::Holding look_for(std::uint32_t inode) const;
  /// Reads all its descriptors.
  void read_descriptors();
  /// True if it had that socket when all its descriptors were last read.
  bool had(std::uint32_t inode) const { return process_.had(inode); }

private:
  netns::RunningProgram& process_;
  const ProgramState& state_;
  const ProgramCalls& calls_;
  std::set<ConnectionKey> connections_;
};

}  // namespace tcplab::lab
