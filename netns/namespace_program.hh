// A program on a namespace host: a child of the lab.
#pragma once

#include <vector>

#include "netns/host_config.hh"
#include "netns/programs/open_sockets.hh"
#include "netns/running_program.hh"

namespace tcplab::netns {

class NamespaceProgram : public RunningProgram {
public:
  /// `mark`: of all its processes.
  NamespaceProgram(Spawned process, ProcessMark mark);

  pid_t pid() const override { return process_.pid; }
  int end_descriptor() const override { return process_.pidfd.get(); }
  std::optional<ProgramEnd> try_wait() override;

  bool signal(int signal) override;
  std::size_t signal_all(int signal) override { return netns::signal_all(mark_, signal); }
  std::vector<pid_t> processes() const override { return list_processes(mark_); }
  bool await_end(bool of_all, std::chrono::milliseconds most) override;
  bool ignores(int signal) const override;
  bool sleeps() const override;

  Holding look_for(std::uint32_t inode) override { return own_sockets_.look_for(inode); }
  void read_sockets(bool of_all) override;
  bool had(std::uint32_t inode) const override;

private:
  Spawned process_;
  ProcessMark mark_;
  bool has_ended_ = false;  // its pid may be another process's by now
  OpenSockets own_sockets_;
  std::vector<OpenSockets> workers_sockets_;
};

}  // namespace tcplab::netns
