// A running guest: the User-mode Linux of a kernel host, whose agent answers questions. What the
// guest sends unasked waits for receive(). Single-threaded.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/kernel_questions.hh"
#include "netns/host_config.hh"
#include "netns/machine_agent.hh"
#include "uml/guest_boot.hh"
#include "uml/guest_files.hh"
#include "uml/guest_kernel.hh"
#include "uml/guest_programs.hh"
#include "uml/guest_sysctls.hh"
#include "uml/guest_time.hh"

namespace tcplab::uml {

/// Hears what a guest sends unasked, in its order.
class GuestListener {
public:
  virtual ~GuestListener() = default;

  /// The host has sent a frame. `answer`: what its kernel said about the frame's connection right
  /// then (sock_diag(7)); empty if the frame is not TCP.
  virtual void frame(std::size_t nic, base::Instant sent, Bytes frame, Bytes answer) = 0;
  /// A program has written this to one of its descriptors; kCallsStream: what it has called.
  virtual void output(pid_t program, int descriptor, Bytes bytes) = 0;
  /// Nobody can write there any more.
  virtual void output_end(pid_t program, int descriptor) = 0;
  /// A program has ended, and what it had written has been heard. `status` as from waitpid(2).
  virtual void ended(pid_t program, int status) = 0;
  /// A program has asked the resolver of the host. `asker`: for Guest::reply_dns().
  virtual void dns_query(bool is_tcp, Bytes asker, Bytes query) = 0;
  /// The kernel has destroyed TCP sockets; empty if it has dropped messages about it.
  virtual void destroyed(Bytes netlink_messages) = 0;
};

/// The result of a frame's delivery.
struct Delivered {
  bool is_accepted = false;  // false: the NIC is down
  base::Instant at{};
  std::vector<std::uint8_t> answer;  // of sock_diag(7); empty if the frame is not TCP
};

class Guest {
public:
  /// Starts guests: boot_guests().
  static std::vector<std::unique_ptr<Guest>> power_on(GuestClock& clock,
                                                      std::span<const GuestRequest> requests,
                                                      const std::function<void()>& meanwhile = {});
  explicit Guest(BootedGuest booted);
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  const netns::HostConfig& config() const { return config_; }
  const std::string& release() const { return release_; }  // of its kernel
  GuestKernel& kernel() { return *kernel_; }
  GuestTime& time() { return time_; }
  GuestFiles& files() { return files_; }
  GuestSysctls& sysctls() { return sysctls_; }
  GuestPrograms& programs() { return programs_; }

  /// Returns a descriptor that is readable when receive() has something to do.
  int descriptor() const { return kernel_->descriptor(); }
  /// Passes all waiting messages to the listener. Never waits. Throws base::LabError if the guest
  /// has died.
  void receive();
  void set_listener(GuestListener* listener) { listener_ = listener; }

  // The questions. Each throws Refusal, or base::LabError if the guest has died.

  /// Delivers a frame. The host's TCP/IP stack has processed it when this returns.
  Delivered deliver(std::size_t nic, Bytes frame);
  /// Asks the guest's kernel by netlink(7). The guest must outlive it.
  std::unique_ptr<base::KernelQuestions> questions(int protocol) {
    return kernel_->questions(protocol);
  }
  /// Records tracepoints of its kernel, and returns their formats (netns::MachineAgent).
  std::vector<std::string> record_tracepoints(const std::vector<netns::TracepointChoice>& choices);
  netns::TraceRecords take_tracepoints();
  /// Listens for DNS queries on these addresses, port 53.
  void listen_dns(const std::vector<base::IpAddress>& addresses);
  void reply_dns(Bytes asker, Bytes reply);

  bool is_on() const { return kernel_->is_on(); }
  /// Kills the guest at once. Its messages are ignored from now on.
  void power_off() { kernel_->power_off(); }

private:
  void tell(const Message& message);

  netns::HostConfig config_;
  std::string release_;
  std::unique_ptr<GuestKernel> kernel_;
  GuestTime time_;
  GuestFiles files_;
  GuestSysctls sysctls_;
  GuestPrograms programs_;
  GuestListener* listener_ = nullptr;
};

}  // namespace tcplab::uml
