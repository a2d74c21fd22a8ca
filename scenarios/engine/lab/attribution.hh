// Whose is what the kernel's tracepoints say? They are the whole machine's, and several runs of
// one scenario have the same addresses and ports at once: so an address proves nothing. What is
// known is this: what this thread does while it writes a frame to a host's NIC is that host's
// kernel; a socket that a program of this run has made is its host's, by the kernel's address of
// it, until another is born there. What is neither is left out. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/kernel/kernel_record.hh"

namespace tcplab::engine {

/// A frame's way into a host: from before the write(2) to its NIC until after it.
struct Delivery {
  std::string host;
  std::uint64_t frame = 0;  // 0: not on the timeline
  base::Instant begin{};
  base::Instant end{};
  base::Endpoint local;  // its destination; of an ICMP error, the quoted packet's source
  base::Endpoint remote;
  std::size_t length = 0;  // without the Ethernet header

  /// Of the frame's bytes; begin and end are left to the caller.
  static Delivery of(capture::Bytes frame);
};

struct Attributed {
  base::Instant at{};
  capture::Kernel event;
};

class Attribution {
public:
  /// The host of that name's program, or with that address; empty: none of ours.
  struct Hosts {
    std::function<std::string(int thread)> of_program;
    std::function<std::string(const base::IpAddress&)> of_address;
  };
  Attribution(int own_thread, Hosts hosts) : own_thread_(own_thread), hosts_(std::move(hosts)) {}

  /// What of these, in order of time, is this run's. `delivery`: the one that they were taken
  /// after.
  std::vector<Attributed> sort_out(std::span<const capture::KernelRecord> records,
                                   const Delivery* delivery = nullptr);

  /// Its power goes: what its sockets do from here on, nobody sees.
  void forget(const std::string& host);

private:
  struct Owner {
    std::string host;
    bool is_closed = false;
  };
  /// An error, which is shown without its socket, and the end of a socket on the same processor.
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
  std::unordered_map<std::uint64_t, Owner> sockets_;  // by the kernel's address
  std::map<int, Ending> ended_;                       // the last of each processor
  std::vector<capture::KernelRecord> errors_;         // whose socket has not ended yet
  std::uint64_t packet_ = 0;                          // the buffer of the frame that is delivered
  std::vector<Attributed> found_;
};

}  // namespace tcplab::engine
