// Owns everything of one run: the loop, the timeline, the wire, hosts and programs. Its functions
// are the actions of scenarios. Knows no Lua. Single-threaded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/calls/imposed_option.hh"
#include "lab/frames/wire_watch.hh"
#include "lab/home/host_disk.hh"
#include "lab/hosts/host_maker.hh"
#include "lab/laboratory_config.hh"
#include "lab/machine/cpu_pinning.hh"
#include "lab/machine/processor_waits.hh"
#include "lab/machine/stall_watch.hh"
#include "lab/plans/topology.hh"
#include "lab/poll_pace.hh"
#include "lab/programs/delayed_acts.hh"
#include "lab/programs/lab_host.hh"
#include "lab/programs/lab_program.hh"
#include "lab/programs/socket_owners.hh"
#include "lab/record/capture_file.hh"
#include "lab/record/timeline.hh"
#include "lab/tracepoints/kernel_watch.hh"
#include "lab/wire/clock.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

class Laboratory {
public:
  explicit Laboratory(const LaboratoryConfig& config);
  ~Laboratory();
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;

  const LaboratoryConfig& config() const { return config_; }
  boost::asio::io_context& loop() { return *loop_; }
  Clock& clock() { return *clock_; }
  Timeline& timeline() { return timeline_; }
  WireWatch& watch() { return watch_; }
  const WireWatch& watch() const { return watch_; }
  base::Instant started() const { return started_; }
  base::nanoseconds wall_offset() const { return wall_offset_; }

  /// Powers these hosts on at the same time, and returns them in the topology's order. Each knows
  /// the others by name. Once in a run.
  std::vector<LabHost*> make_hosts(const Topology& topology, const HostOptions& options);
  const std::vector<std::unique_ptr<LabHost>>& hosts() const { return hosts_; }
  LabHost* find_host(const std::string& name);
  LabHost* find_host(const base::IpAddress& address);
  /// True if the run has a link of that name.
  bool has_link(const std::string& name) const { return links_.contains(name); }

  /// The disks of the hosts.
  DiskStore& disks() { return disks_; }

  /// Starts a program. "dnc" is our own, which reports its calls.
  LabProgram& run(LabHost& host, const std::vector<std::string>& command,
                  const ProgramOptions& options = {});
  const std::vector<std::unique_ptr<LabProgram>>& programs() const { return programs_; }
  /// Sets these options on each TCP socket that a program of the host, except dnc, makes or accepts
  /// from now on, also after a loss of power.
  void impose(LabHost& host, std::vector<capture::ImposedOption> options);
  SocketOwners& owners() { return owners_; }

  void power_off(LabHost& host);
  void power_on(LabHost& host);
  /// Powers the host on after its boot time, unless it has power by then.
  void power_on_later(LabHost& host, base::nanoseconds boot_time);
  /// Delivers what its programs sent before they ended, then restarts the kernel.
  void finish_reboot(LabHost& host);
  /// Unplugs the cable of one NIC, or of every NIC if the name is empty.
  void unplug(LabHost& host, const std::string& nic = "");
  void plug(LabHost& host, const std::string& nic = "");
  /// Loads an nftables ruleset, now and each time that the host is powered on.
  void load_ruleset(LabHost& host, const std::string& ruleset);
  /// Asks every program of the host to end: SIGTERM.
  void terminate_programs(LabHost& host);
  bool has_running_programs(const LabHost& host) const;
  void kill_programs(LabHost& host);

  /// Sends a frame that no host sent: Ethernet, to one of the host's NICs. Throws base::UsageError
  /// if that NIC is not on the wire.
  void forge(LabHost& to, const Forgery& forgery, netns::Bytes frame);

  /// Skips the run when its hosts turn out to lack that sysctl.
  void require_sysctl(const std::string& name) { required_sysctls_.push_back(name); }

  /// Records from here on what the hosts' kernels report. Throws capture::CannotTrace.
  void listen_to_kernels();
  bool hears_kernels() const { return kernel_ != nullptr; }
  /// Records what they have reported so far.
  void hear_kernels() {
    if (kernel_) kernel_->look();
  }
  /// Asks every kernel for all its sockets.
  void look_at_all();
  /// Asks the kernel of one host for all its sockets.
  void look_at(LabHost& host);
  /// Processes every frame that waits on a port.
  void pump();
  /// Returns how long the run and its programs have waited for a processor so far.
  base::nanoseconds waited_for_processor();
  /// Writes what is recorded so far to the files.
  void flush();
  /// Writes the rest to the files, at the end.
  void finish();
  /// Called at most twice a second, if the run and its programs mostly wait for a processor.
  std::function<void()> on_starved;
  /// Called when a program that has ended becomes silent (LabProgram::on_silent).
  std::function<void()> on_program_silent;
  /// Called with each connection that becomes a program's (LabProgram::on_connection).
  std::vector<std::function<void(const ConnectionKey&)>> on_connection;

private:
  struct DestroyWatch;  // hides Boost.Asio, which is slow to compile

  netns::LinkId link_of(const netns::NicConfig& nic);
  void came_up(LabHost& host, std::unique_ptr<netns::Machine> machine);
  void watch_destroyed(LabHost& host);
  void await_deaths(const LabHost& host);
  void signal_programs(LabHost& host, int signal);
  void delay_turn();
  void schedule_poll();
  void schedule_heartbeat();
  void poll();
  netns::SpawnRequest spawn_request(const std::vector<std::string>& command,
                                    const ProgramOptions& options) const;
  CallWatcher& watcher_of(LabHost& host);
  std::string unused_name(const LabHost& host, const std::string& program) const;

  LaboratoryConfig config_;
  base::Instant started_ = base::now();
  base::nanoseconds wall_offset_ = base::wall_clock_offset();
  std::unique_ptr<boost::asio::io_context> loop_;
  std::unique_ptr<HostMaker> maker_;
  std::unique_ptr<Clock> clock_;
  Perturbation perturbation_;
  DelayedActs host_signals_;
  CpuPinning cpu_pinning_;
  Budgets budgets_;
  Timeline timeline_;
  CaptureFile capture_;
  std::unique_ptr<KernelWatch> kernel_;
  StallWatch stalls_;
  ProcessorWaits waits_{base::now()};
  WireWatch watch_;
  netns::Wire wire_;
  std::map<std::string, netns::LinkId> links_;  // by name
  std::vector<std::unique_ptr<LabHost>> hosts_;
  std::map<std::string, std::unique_ptr<CallWatcher>> watchers_;  // by the host's name
  std::vector<std::unique_ptr<LabProgram>> programs_;
  SocketOwners owners_{programs_};
  DiskStore disks_;
  std::map<const LabHost*, std::unique_ptr<DestroyWatch>> destroyed_;
  std::vector<std::string> required_sysctls_;
  std::unique_ptr<Alarm> poll_alarm_;
  PollPace poll_pace_;
  base::nanoseconds poll_took_{};
  std::unique_ptr<Alarm> heartbeat_;
  std::map<const LabHost*, std::unique_ptr<Alarm>> boot_alarms_;
};

}  // namespace tcplab::lab
