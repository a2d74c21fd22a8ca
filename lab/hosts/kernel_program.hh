// A program on a kernel host. Copies data between the lab's pipes and the messages of the host's
// agent.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/file_descriptor.hh"
#include "lab/hosts/pipe_feed.hh"
#include "netns/host_config.hh"
#include "netns/running_program.hh"
#include "uml/guest.hh"

namespace tcplab::lab {

/// The state of a program that the machine and the lab's object share.
class GuestProcess {
public:
  /// `request`: its descriptors are duplicated.
  GuestProcess(boost::asio::io_context& loop, const netns::SpawnRequest& request);

  /// The program has started.
  void started(uml::Guest& guest, pid_t pid);
  void wrote(int descriptor, base::Bytes bytes);
  void closed(int descriptor);
  void ended(int wait_status);
  /// The kernel is gone, and the program with it.
  void lost_power();

  uml::Guest* guest() const { return guest_; }
  pid_t pid() const { return pid_; }
  netns::ProcessMark mark() const { return mark_; }
  int end_descriptor() const { return end_.get(); }
  const std::optional<netns::ProgramEnd>& end() const { return has_ended_; }
  base::nanoseconds clock_offset() const { return clock_offset_; }

private:
  void relay_input();

  uml::Guest* guest_ = nullptr;  // null without power
  pid_t pid_ = 0;
  netns::ProcessMark mark_;
  base::nanoseconds clock_offset_{};
  base::FileDescriptor end_;  // an eventfd
  std::optional<netns::ProgramEnd> has_ended_;
  boost::asio::posix::stream_descriptor input_;
  std::map<int, PipeFeed> outputs_;  // by the descriptor in the program
};

class KernelProgram : public netns::RunningProgram {
public:
  explicit KernelProgram(std::shared_ptr<GuestProcess> process) : process_(std::move(process)) {}

  pid_t pid() const override { return process_->pid(); }
  int end_descriptor() const override { return process_->end_descriptor(); }
  /// First handles the messages that the machine has sent.
  std::optional<netns::ProgramEnd> try_wait() override;

  bool signal(int signal) override;
  std::size_t signal_all(int signal) override;
  std::vector<pid_t> processes() const override;
  bool await_end(bool of_all, std::chrono::milliseconds most) override;
  bool ignores(int signal) const override;
  bool sleeps() const override;

  netns::Holding look_for(std::uint32_t inode) override;
  void read_sockets(bool of_all) override;
  bool had(std::uint32_t inode) const override;

  base::nanoseconds clock_offset() const override { return process_->clock_offset(); }

private:
  bool runs() const { return process_->guest() != nullptr && !process_->end(); }

  std::shared_ptr<GuestProcess> process_;
  std::vector<std::uint32_t> sockets_;  // when they were last read
};

}  // namespace tcplab::lab
