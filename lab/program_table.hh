// The programs of a run, on all its hosts: starts them, lets them be traced, and finds the owners
// of connections.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/calls/imposed_option.hh"
#include "lab/laboratory_config.hh"
#include "lab/machine/cpu_pinning.hh"
#include "lab/network.hh"
#include "lab/programs/delayed_acts.hh"
#include "lab/programs/lab_program.hh"
#include "lab/programs/socket_owners.hh"

namespace tcplab::lab {

class ProgramTable {
public:
  ProgramTable(const LaboratoryConfig& config, const ProgramSurroundings& around, Network& network,
               const CpuPinning& pinning, Budgets& budgets);
  ~ProgramTable();
  ProgramTable(const ProgramTable&) = delete;
  ProgramTable& operator=(const ProgramTable&) = delete;

  /// Starts a program. "dnc" is our own, which reports its calls.
  LabProgram& start(LabHost& host, const std::vector<std::string>& command,
                    const ProgramOptions& options = {});
  const std::vector<std::unique_ptr<LabProgram>>& all() const { return programs_; }
  /// Sets these options on each TCP socket that a program of the host, except dnc, makes or accepts
  /// from now on, also after a loss of power.
  void impose(LabHost& host, std::vector<capture::ImposedOption> options);
  SocketOwners& owners() { return owners_; }

  /// Asks every program of the host to end: SIGTERM.
  void terminate(LabHost& host);
  bool any_runs(const LabHost& host) const;
  /// The host is about to lose its power.
  void power_goes(const LabHost& host);
  /// Returns the running programs that use the processors of this kernel: those of namespace hosts.
  std::vector<pid_t> on_this_kernel() const;
  /// Returns the host of the program with that process id; empty if there is none.
  std::string host_of(pid_t process) const;

  /// Called when a program that has ended becomes silent (LabProgram::on_silent).
  std::function<void()> on_silent;
  /// Called with the record of each failure at which a program is aborted.
  std::function<void(const LabProgram&, look::FailureRecord)> on_failure;
  /// Called with each connection that becomes a program's (ProgramSockets::on_connection).
  std::vector<std::function<void(const ConnectionKey&)>> on_connection;

private:
  void await_deaths(const LabHost& host);
  CallWatcher& watcher_of(LabHost& host);
  std::string unused_name(const LabHost& host, const std::string& program) const;

  const LaboratoryConfig& config_;
  ProgramSurroundings around_;
  Network& network_;
  const CpuPinning& pinning_;
  Budgets& budgets_;
  DelayedActs host_signals_;
  std::map<std::string, std::unique_ptr<CallWatcher>> watchers_;  // by the host's name
  std::vector<std::unique_ptr<LabProgram>> programs_;
  SocketOwners owners_{programs_};
};

}  // namespace tcplab::lab
