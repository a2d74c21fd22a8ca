#include "lab/programs/socket_owners.hh"

#include <set>
#include <utility>

namespace tcplab::lab {

void SocketOwners::appeared(const std::string& host, const ConnectionKey& key,
                            std::uint32_t inode) {
  for (const auto& program : programs_) {
    if (program->host() != host || program->owns(key)) continue;
    switch (program->look_for(inode)) {
      case netns::Holding::yes:
        program->add_connection(key);
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
    if (searched.insert(program).second) program->read_sockets();
    if (program->had(inode)) program->add_connection(key);
  }
}

}  // namespace tcplab::lab
