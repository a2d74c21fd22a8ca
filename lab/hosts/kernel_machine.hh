// A kernel host as a Machine: a User-mode Linux that uml::Guest runs. Its agent answers questions,
// and also sends messages unasked. All of them come through one descriptor, which this object reads
// on the loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lab/hosts/kernel_agent.hh"
#include "lab/hosts/kernel_port.hh"
#include "lab/hosts/kernel_program.hh"
#include "lab/hosts/news_queue.hh"
#include "netns/machine.hh"
#include "uml/guest.hh"

namespace tcplab::lab {

class KernelMachine : public netns::Machine, private uml::GuestListener {
public:
  KernelMachine(boost::asio::io_context& loop, netns::HostConfig config,
                std::unique_ptr<uml::Guest> guest);
  ~KernelMachine() override;
  KernelMachine(const KernelMachine&) = delete;
  KernelMachine& operator=(const KernelMachine&) = delete;

  const netns::HostConfig& config() const override { return config_; }
  netns::Port& port(const std::string& nic) override;

  std::unique_ptr<base::KernelQuestions> ask_sockets() override;
  std::unique_ptr<base::KernelNews> hear_destroyed() override;
  std::optional<netns::FrameAnswer> frame_answer() const override;

  bool makes_terminals() const override { return true; }
  std::unique_ptr<netns::RunningProgram> start(const netns::SpawnRequest& request) override;
  void signal_programs(int signal) override;

  std::unique_ptr<base::KernelQuestions> ask_network(const std::string& attempt) override;
  netns::KernelSysctls& sysctls() override { return guest().sysctls(); }

  void write_resolver_file(const std::string& text) override;
  void write_private_file(const netns::PrivateFile& file) override;

  void power_off() override;
  netns::MachineAgent& agent() override;

private:
  void frame(std::size_t nic, base::Instant sent, base::Bytes frame, base::Bytes answer) override;
  void output(pid_t program, int descriptor, base::Bytes bytes) override;
  void output_end(pid_t program, int descriptor) override;
  void ended(pid_t program, int wait_status) override;
  void dns_query(bool is_tcp, base::Bytes asker, base::Bytes query) override;
  void destroyed(base::Bytes messages) override;

  class SocketQuestions;

  void forget_older_answers();
  uml::Guest& guest() const;
  void listen();

  boost::asio::io_context& loop_;
  netns::HostConfig config_;
  std::unique_ptr<uml::Guest> guest_;  // null without power
  KernelAgent agent_;
  boost::asio::posix::stream_descriptor waiting_;   // for guest_->receive()
  std::vector<std::unique_ptr<KernelPort>> ports_;  // in the order of the NICs
  LatestFrame latest_;
  std::map<pid_t, std::shared_ptr<GuestProcess>> programs_;
  std::shared_ptr<NewsQueue> destroyed_;
};

}  // namespace tcplab::lab
