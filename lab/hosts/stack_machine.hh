// A stack host as a Machine: a process whose descriptor 3 is the NIC, with a TCP stack of its own.
// It runs in the namespaces of a host without NICs, which contain it. Its kernel knows nothing of
// its connections.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/hosts/stack_calls.hh"
#include "lab/hosts/stack_choice.hh"
#include "lab/hosts/stack_clock.hh"
#include "lab/hosts/stack_port.hh"
#include "netns/host.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class StackMachine : public netns::Machine {
public:
  using Hearing = std::function<void(const std::string& stream, const std::string& text)>;

  /// Starts the stack. The host has one NIC. `surroundings`: a namespace host without NICs.
  /// `clock`: that of its processes; null for this machine's. It must live longer.
  StackMachine(boost::asio::io_context& loop, netns::HostConfig config, StackChoice stack,
               std::unique_ptr<netns::Machine> surroundings, StackClock* clock);
  ~StackMachine() override;
  StackMachine(const StackMachine&) = delete;
  StackMachine& operator=(const StackMachine&) = delete;

  /// Waits until it has said that it is ready. Calls `meanwhile` every millisecond. Throws
  /// base::LabError if it ends, or if it is not ready in time.
  void await_ready(const std::function<void()>& meanwhile);

  const netns::HostConfig& config() const override { return config_; }
  netns::Port& port(const std::string& nic) override;
  std::string own_stack() const override { return stack_.name; }
  netns::StackService stack_service() const override { return service_; }
  pid_t stack_process() const override { return process_ ? process_->pid() : 0; }
  void hear_stack(const Hearing& hear) override;

  std::unique_ptr<base::KernelQuestions> ask_sockets() override;
  std::unique_ptr<base::KernelNews> hear_destroyed() override;

  /// Starts a dnc, whose calls the stack makes.
  std::unique_ptr<netns::RunningProgram> start(const netns::SpawnRequest& request) override;
  void settle(const std::function<void()>& meanwhile) override;
  void signal_programs(int signal) override;

  std::unique_ptr<base::KernelQuestions> ask_network(const std::string& attempt) override;
  netns::KernelSysctls& sysctls() override { return surroundings_->sysctls(); }

  void write_resolver_file(const std::string& text) override;
  void write_private_file(const netns::PrivateFile& file) override;
  void power_off() override;
  netns::Host* namespaces() override { return surroundings_->namespaces(); }

private:
  netns::Environment environment() const;
  void listen_to_errors();
  bool read_errors();
  void note_error(const std::string& line);
  void note_line(const std::string& line);
  void has_written(const std::string& stream, const std::string& text);
  void ended();

  netns::HostConfig config_;
  StackChoice stack_;
  std::unique_ptr<netns::Machine> surroundings_;  // without power: null
  std::unique_ptr<StackClockPlace> clock_;        // null: its clock is this machine's
  std::unique_ptr<StackPort> port_;
  std::unique_ptr<netns::RunningProgram> process_;
  std::unique_ptr<StackCalls> calls_;
  boost::asio::posix::stream_descriptor errors_;  // its standard error
  std::string error_line_;                        // the beginning of its next line
  std::string last_error_;                        // its last line, or why it panicked
  Hearing hear_;
  std::vector<std::pair<std::string, std::string>> unheard_;  // stream and text
  bool is_ready_ = false;
  netns::StackService service_;
};

}  // namespace tcplab::lab
