// Finds the programs that hold a connection, by the inode of its socket (proc_pid_fd(5)). To search
// a program with many descriptors for each connection would take quadratic time. Such a program is
// searched once for all connections since the last search.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lab/programs/lab_program.hh"

namespace tcplab::lab {

class SocketOwners {
public:
  using Programs = std::vector<std::unique_ptr<LabProgram>>;

  /// `programs`: of all hosts; they outlive this object.
  explicit SocketOwners(const Programs& programs) : programs_(programs) {}

  /// Adds the connection to those of the host's programs that hold its socket, now or in settle().
  void appeared(const std::string& host, const ConnectionKey& key, std::uint32_t inode);

  /// Searches the programs that appeared() could not.
  void settle();

private:
  struct Unsettled {
    LabProgram* program;
    ConnectionKey key;
    std::uint32_t inode;
  };

  const Programs& programs_;
  std::vector<Unsettled> unsettled_;
};

}  // namespace tcplab::lab
