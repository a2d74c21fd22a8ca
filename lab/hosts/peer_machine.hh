// A peer as a Machine: a NIC with addresses, and no kernel. A script sends its segments
// (lab/peer).
#pragma once

#include <string>

#include "lab/hosts/peer_port.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class PeerMachine : public netns::Machine {
public:
  /// The host has one NIC.
  explicit PeerMachine(netns::HostConfig config);

  const netns::HostConfig& config() const override { return config_; }
  std::string own_stack() const override { return "script"; }
  netns::Port& port(const std::string& nic) override;
  void send_frame(netns::Bytes frame) override { port_.send(frame); }

  // Each throws base::UsageError: there is no kernel.
  std::unique_ptr<base::KernelQuestions> ask_sockets() override;
  std::unique_ptr<base::KernelNews> hear_destroyed() override;
  std::unique_ptr<netns::RunningProgram> start(const netns::SpawnRequest& request) override;
  std::unique_ptr<base::KernelQuestions> ask_network(const std::string& attempt) override;
  netns::KernelSysctls& sysctls() override;
  void write_private_file(const netns::PrivateFile& file) override;

  // There are no programs.
  void signal_programs(int /*signal*/) override {}
  void write_resolver_file(const std::string& /*text*/) override {}
  void power_off() override {}

private:
  [[noreturn]] void refuse(const std::string& what) const;

  netns::HostConfig config_;
  PeerPort port_;
};

}  // namespace tcplab::lab
