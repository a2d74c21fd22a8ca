#include "lab/hosts/peer_machine.hh"

#include <utility>

#include "base/error.hh"

namespace tcplab::lab {

PeerMachine::PeerMachine(netns::HostConfig config)
    : config_(std::move(config)), port_(config_.nics.front()) {}

void PeerMachine::refuse(const std::string& what) const {
  throw base::UsageError(config_.name + ": cannot " + what +
                         ": it is a peer, and has no kernel (lab:peer)");
}

netns::Port& PeerMachine::port(const std::string& nic) {
  if (config_.nics.front().name != nic)
    throw base::LabError("host " + config_.name + " has no NIC " + nic);
  return port_;
}

std::unique_ptr<base::KernelQuestions> PeerMachine::ask_sockets() { refuse("ask for sockets"); }

std::unique_ptr<base::KernelNews> PeerMachine::hear_destroyed() { refuse("ask for sockets"); }

std::unique_ptr<netns::RunningProgram> PeerMachine::start(const netns::SpawnRequest& /*request*/) {
  refuse("start a program");
}

std::unique_ptr<base::KernelQuestions> PeerMachine::ask_network(const std::string& attempt) {
  refuse(attempt);
}

netns::KernelSysctls& PeerMachine::sysctls() { refuse("use a sysctl"); }

void PeerMachine::write_private_file(const netns::PrivateFile& /*file*/) { refuse("write a file"); }

}  // namespace tcplab::lab
