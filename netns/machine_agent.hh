// What the agent of a kernel host does. On a namespace host, the lab itself does it in the
// namespaces of the host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/endpoint.hh"
#include "base/kernel_questions.hh"

namespace tcplab::netns {

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

class MachineAgent {
public:
  virtual ~MachineAgent() = default;

  /// Sends a request (capture::to_text()) to its tracer of programs. Returns the answer.
  virtual int ask_tracer(const std::string& request) = 0;

  /// Records these tracepoints of the kernel from now on. Returns the text of each one's `format`
  /// file in tracefs; empty if the kernel has no such tracepoint. Throws base::LabError if the
  /// kernel has no tracefs.
  virtual std::vector<std::string> record_tracepoints(
      const std::vector<TracepointChoice>& choices) = 0;
  /// Returns what it has recorded since the last time. Never waits.
  virtual TraceRecords take_tracepoints() = 0;

  /// Shows a folder of the run at a path, writable. Missing folders are made if they are private to
  /// the machine. Throws base::UsageError.
  virtual void attach_folder(const std::string& folder, const std::string& path) = 0;
  /// Hides a folder of the run.
  virtual void hide_folder(const std::string& folder) = 0;

  /// Listens for DNS queries on these addresses. Throws base::LabError if another program has the
  /// port.
  virtual void serve_dns(const std::vector<base::IpAddress>& addresses,
                         const DnsListener& listener) = 0;
};

}  // namespace tcplab::netns
