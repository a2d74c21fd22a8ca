#include "lab/programs/socket_owners.hh"

#include <set>
#include <utility>

namespace tcplab::lab {

void SocketOwners::appeared(const std::string& host, const ConnectionKey& key,
                            std::uint32_t inode) {
  for (const auto& program : programs_) {
    if (program->host() != host || program->sockets().owns(key)) continue;
    switch (program->sockets().look_for(inode)) {
      case netns::Holding::yes:
        program->sockets().add(key);
        break;
      case netns::Holding::unknown:
        unsettled_.push_back({program.get(), key, inode});
        break;
      case netns::Holding::no:
        break;
    }
  }
}

void SocketOwners::settle() {
  const std::vector<Unsettled> unsettled = std::exchange(unsettled_, {});
  std::set<LabProgram*> searched;
  for (const auto& [program, key, inode] : unsettled) {
    if (searched.insert(program).second) program->sockets().read_descriptors();
    if (program->sockets().had(inode)) program->sockets().add(key);
  }
}

}  // namespace tcplab::lab
