// Owns everything of one run, and connects its parts. The functions of the parts are the actions of
// scenarios. Knows no Lua. Single-threaded.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "lab/failure_records.hh"
#include "lab/home/host_disk.hh"
#include "lab/host_table.hh"
#include "lab/hosts/host_maker.hh"
#include "lab/kernel_reports.hh"
#include "lab/laboratory_config.hh"
#include "lab/network.hh"
#include "lab/power.hh"
#include "lab/program_table.hh"
#include "lab/record/capture_file.hh"
#include "lab/record/timeline.hh"
#include "lab/run_processor.hh"
#include "lab/socket_watch.hh"
#include "lab/wire/clock.hh"

namespace tcplab::lab {

class Laboratory {
public:
  explicit Laboratory(const LaboratoryConfig& config);
  ~Laboratory();
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;

  const LaboratoryConfig& config() const { return config_; }
  base::Instant started() const { return started_; }
  base::nanoseconds wall_offset() const { return wall_offset_; }

  boost::asio::io_context& loop() { return loop_; }
  Clock& clock() { return *clock_; }
  RunProcessor& processor() { return processor_; }
  Timeline& timeline() { return timeline_; }
  KernelReports& kernels() { return kernels_; }
  Network& network() { return network_; }
  const Network& network() const { return network_; }
  HostTable& hosts() { return hosts_; }
  ProgramTable& programs() { return programs_; }
  /// The disks of the hosts.
  DiskStore& disks() { return disks_; }
  SocketWatch& sockets() { return sockets_; }
  Power& power() { return power_; }

  /// Records from here on what the hosts' kernels report. Throws capture::CannotTrace.
  void listen_to_kernels();
  /// Writes what is recorded so far to the files.
  void flush();
  /// Writes the rest to the files, at the end.
  void finish();

private:
  void look();

  LaboratoryConfig config_;
  base::Instant started_ = base::now();
  base::nanoseconds wall_offset_ = base::wall_clock_offset();
  boost::asio::io_context loop_{1};
  std::unique_ptr<HostMaker> maker_;
  std::unique_ptr<Clock> clock_;
  Perturbation perturbation_;
  RunProcessor processor_;
  Budgets budgets_;
  Timeline timeline_;
  CaptureFile capture_;
  KernelReports kernels_;
  Network network_;
  HostTable hosts_;
  ProgramTable programs_;
  DiskStore disks_;
  SocketWatch sockets_;
  Power power_;
  FailureRecords failures_;
};

}  // namespace tcplab::lab
