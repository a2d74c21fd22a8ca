// The interface of a machine that is on: its NICs, its kernel's tables and settings, its programs.
// There are two kinds: namespace hosts (netns::Host) and kernel hosts (uml::Guest).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"
#include "base/error.hh"
#include "base/kernel_questions.hh"
#include "netns/host_config.hh"
#include "netns/port.hh"
#include "netns/running_program.hh"

namespace tcplab::netns {

class Host;
struct PrivateFile;

/// The sock_diag(7) answers about the connection of a frame. The kernel gives them right after it
/// has sent or received the frame, before any program runs. There are several if the host has sent
/// frames that the wire has not read yet.
struct FrameAnswer {
  base::Endpoint local;
  base::Endpoint remote;
  std::vector<base::Bytes> answers;  // the oldest first
};

/// A tracepoint to record in the kernel of a kernel host.
struct TracepointChoice {
  std::string event;   // its folder below `events` in tracefs: "tcp/tcp_send_reset"
  std::string filter;  // Linux, Documentation/trace/events.rst, section 5; empty: none
};

/// What the kernel of a kernel host has recorded.
struct TraceRecords {
  std::vector<std::vector<std::uint8_t>> pages;  // of trace_pipe_raw in tracefs
  base::nanoseconds clock_offset{};              // what to add to their times
};

/// Sends the reply to a query; does nothing if the connection of the query has ended.
using DnsReplier = std::function<void(base::Bytes reply)>;
/// Called for each query.
using DnsListener = std::function<void(bool is_tcp, base::Bytes query, DnsReplier replier)>;

class Machine {
public:
  /// Cuts the power.
  virtual ~Machine() = default;

  virtual const HostConfig& config() const = 0;
  virtual Port& port(const std::string& nic) = 0;

  /// Returns the way to send sock_diag(7) requests to its kernel.
  virtual std::unique_ptr<base::KernelQuestions> ask_sockets() = 0;
  /// Subscribes to its kernel's notifications of destroyed TCP sockets.
  virtual std::unique_ptr<base::KernelNews> hear_destroyed() = 0;
  /// Returns the answers that came with the frame that one of its ports has read or written last;
  /// nothing if the caller must ask the kernel itself.
  virtual std::optional<FrameAnswer> frame_answer() const { return std::nullopt; }

  /// Returns whether the machine makes the terminals of its programs (SpawnRequest::has_terminal)
  /// itself. What is typed is then read from the request's descriptor 0, and all that is shown
  /// is written to its descriptor 1.
  virtual bool makes_terminals() const { return false; }
  /// Starts a program, and returns once execvp(3) has succeeded. Throws base::LabError with the
  /// errno of execvp(3), for example if there is no such program.
  virtual std::unique_ptr<RunningProgram> start(const SpawnRequest& request) = 0;
  /// Sends a request (capture::to_text()) to the machine's own tracer. Returns the answer.
  virtual int ask_tracer(const std::string& /*request*/) { refuse(); }
  /// Records these tracepoints of the kernel host from now on. Returns the text of each one's
  /// `format` file in tracefs; empty if the kernel has no such tracepoint. Throws base::LabError if
  /// the kernel has no tracefs.
  virtual std::vector<std::string> record_tracepoints(
      const std::vector<TracepointChoice>& /*choices*/) {
    refuse();
  }
  /// Returns what it has recorded since the last time. Never waits.
  virtual TraceRecords take_tracepoints() { refuse(); }
  /// Sends a signal to every process of the machine except its init.
  virtual void signal_programs(int signal) = 0;

  // These change its network. Each throws base::SystemError if the kernel refuses.
  virtual void add_route(const RouteConfig& route) = 0;
  virtual void remove_route(const RouteConfig& route) = 0;
  virtual void set_mtu(const std::string& nic, unsigned mtu) = 0;
  virtual void set_link(const std::string& nic, bool up) = 0;
  virtual void add_address(const std::string& nic, const InterfaceAddress& address) = 0;
  virtual void remove_address(const std::string& nic, const InterfaceAddress& address) = 0;

  virtual void write_sysctl(const std::string& name, const std::string& value) = 0;
  virtual std::string read_sysctl(const std::string& name) const = 0;
  virtual bool has_sysctl(const std::string& name) const = 0;

  /// Replaces the text of the host's /etc/resolv.conf (resolv.conf(5)), which is empty at first.
  virtual void write_resolver_file(const std::string& text) = 0;

  /// Writes a file into a private folder: write_private() (private_file.hh). Throws
  /// base::UsageError.
  virtual void write_private_file(const PrivateFile& file) = 0;

  /// Shows a folder of the run at a path of a machine without namespaces, writable. Missing folders
  /// are made if they are private to the machine. Throws base::UsageError.
  virtual void attach_folder(const std::string& /*folder*/, const std::string& /*path*/) {
    refuse();
  }
  /// Hides a folder of the run from a machine without namespaces.
  virtual void hide_folder(const std::string& /*folder*/) { refuse(); }

  /// Listens for DNS queries on these addresses, on a machine without namespaces. Throws
  /// base::LabError if another program has the port.
  virtual void serve_dns(const std::vector<base::IpAddress>& /*addresses*/,
                         const DnsListener& /*listener*/) {
    refuse();
  }

  /// Cuts the power: every process ends at once. Detach the ports from the wire first.
  virtual void power_off() = 0;

  /// Returns the namespaces of the machine; null if it is a kernel host.
  virtual Host* namespaces() { return nullptr; }

private:
  [[noreturn]] void refuse() const {
    throw base::LabError(config().name + ": the lab does this in the namespaces of the host");
  }
};

}  // namespace tcplab::netns
