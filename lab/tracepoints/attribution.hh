// Finds the host that a tracepoint's record is about, and the delivery that caused it. Namespace
// hosts share a kernel. Its tracepoints cover the whole machine, and several runs may use the same
// addresses and ports, so an address does not identify a host. Two facts do. A record of this
// thread, made while it writes a frame to a host's NIC, is about that host. A record about a socket
// that a program of this run made is about that program's host: the kernel's address identifies the
// socket, until another socket is made at it. Other records are left out. All records of a kernel
// host are that host's. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/kernel/kernel_record.hh"

namespace tcplab::lab {

/// The delivery of a frame to a host: the write(2) to its NIC.
struct Delivery {
  std::string host;
  std::uint64_t frame = 0;  // 0: not on the timeline
  base::Instant begin{};
  base::Instant end{};
  base::Endpoint local;  // its destination; of an ICMP error, the quoted packet's source
  base::Endpoint remote;
  std::size_t length = 0;  // without the Ethernet header

  /// Fills all but host, frame, begin and end from the frame's bytes.
  static Delivery of(capture::Bytes frame);
};

struct Attributed {
  base::Instant at{};
  capture::Kernel event;
};

class Attribution {
public:
  /// Return the host of that thread or address; empty if it is none of ours.
  struct Hosts {
    std::function<std::string(int thread)> of_program;
    std::function<std::string(const base::IpAddress&)> of_address;
  };
  /// For hosts that share a kernel. `own_thread` delivers the frames.
  Attribution(int own_thread, Hosts hosts) : own_thread_(own_thread), hosts_(std::move(hosts)) {}
  /// For one kernel host.
  Attribution(int own_thread, std::string only_host)
      : own_thread_(own_thread), only_host_(std::move(only_host)) {}

  /// Returns those records, in order of time, that are this run's. `delivery`: the one after which
  /// the records were read.
  std::vector<Attributed> sort_out(std::span<const capture::KernelRecord> records,
                                   const Delivery* delivery = nullptr);

  /// Ignores the host's sockets from here on: it loses its power.
  void forget(const std::string& host);

private:
  struct Owner {
    std::string host;
    bool is_closed = false;
  };
  /// The end of a socket. An error on the same processor belongs to it: its record has no socket.
  struct Ending {
    capture::KernelRecord record;
    std::string host;  // of the socket
    bool has_error = false;
  };

  bool is_of(const capture::KernelRecord& record, const Delivery* delivery) const;
  void follow(const capture::KernelRecord& record, const Delivery* delivery);
  void born(const capture::KernelRecord& record);
  void closed(const capture::KernelRecord& record);
  std::string owner_of(const capture::KernelRecord& record) const;
  void tell(const capture::KernelRecord& record, const std::string& host, std::uint64_t frame);
  void tell_drop(const capture::KernelRecord& record, const Delivery& delivery);
  void tell_error(const capture::KernelRecord& record);
  void tell_other(const capture::KernelRecord& record, const Delivery* delivery);
  void limit_memory(base::Instant now);

  int own_thread_;
  Hosts hosts_;
  std::string only_host_;                             // empty: hosts_ share the kernel
  std::unordered_map<std::uint64_t, Owner> sockets_;  // by the kernel's address
  std::map<int, Ending> ended_;                       // the last of each processor
  std::vector<capture::KernelRecord> errors_;         // whose socket has not ended yet
  std::uint64_t packet_ = 0;                          // the buffer of the frame that is delivered
  std::vector<Attributed> found_;
};

}  // namespace tcplab::lab
