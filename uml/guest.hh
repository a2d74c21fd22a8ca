// A running guest: the User-mode Linux process of a kernel host. A question is synchronous: one
// message to the guest's agent, one answer. What the guest sends meanwhile waits for receive().
// Single-threaded.
#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"
#include "netns/host_config.hh"
#include "netns/view/mounts.hh"
#include "netns/view/private_file.hh"
#include "uml/configuration.hh"
#include "uml/guest_channel.hh"
#include "uml/guest_clock.hh"
#include "uml/kernel_process.hh"

namespace tcplab::uml {

/// The agent or its kernel has refused what was asked of it.
class Refusal : public base::LabError {
public:
  Refusal(int error, const std::string& text) : LabError(text), error_(error) {}
  /// Returns the errno; 0 if it was not a system call that failed.
  int error() const { return error_; }

private:
  int error_;
};

struct GuestRequest {
  netns::HostConfig config;
  KernelRequest kernel;
};

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
  /// Boots all guests in parallel, and sets up their networks. Calls `meanwhile` every millisecond.
  /// Throws base::LabError with the last words of a guest that does not come up.
  static std::vector<std::unique_ptr<Guest>> power_on(GuestClock& clock,
                                                      std::span<const GuestRequest> requests,
                                                      const std::function<void()>& meanwhile = {});
  ~Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  const netns::HostConfig& config() const { return config_; }
  const std::string& release() const { return release_; }  // of its kernel
  pid_t kernel_process() const { return process_->pid(); }
  /// Says what its kernel does, for one that hangs.
  std::string activity() const;

  /// Returns a descriptor that is readable when receive() has something to do.
  int descriptor() const { return poll_.get(); }
  /// Passes all waiting messages to the listener. Never waits. Throws base::LabError if the guest
  /// has died.
  void receive();
  void set_listener(GuestListener* listener) { listener_ = listener; }

  // The questions. Each throws Refusal, or base::LabError if the guest has died.

  /// Delivers a frame. The host's TCP/IP stack has processed it when this returns.
  Delivered deliver(std::size_t nic, Bytes frame);
  /// Asks the guest's kernel by netlink(7). The guest must outlive it.
  std::unique_ptr<base::KernelQuestions> questions(int protocol);

  /// Starts a program, and returns its pid once execvp(3) has succeeded.
  pid_t start(const ProgramStart& program);
  void input(pid_t program, Bytes bytes);
  void close_input(pid_t program);
  /// Asks the tracer of its programs (capture::to_text()). Returns the answer.
  int ask_tracer(const std::string& request);
  /// Records tracepoints of its kernel, and returns their formats (netns::Machine).
  std::vector<std::string> record_tracepoints(const std::vector<netns::TracepointChoice>& choices);
  netns::TraceRecords take_tracepoints();
  /// Returns false if there is no such process.
  bool signal(pid_t process, int signal);
  /// Sends a signal to all processes with that mark. Returns how many got it.
  std::size_t signal_all(netns::ProcessMark mark, int signal);
  /// Sends a signal to every process except the agent.
  void signal_every(int signal);
  std::vector<pid_t> processes(netns::ProcessMark mark);
  /// Returns the inodes of the sockets that these processes have open.
  std::vector<std::uint32_t> sockets(const std::vector<pid_t>& processes);
  /// True if the process ignores that signal; false if it has ended.
  bool ignores(pid_t process, int signal);
  /// True if the process waits in the kernel; false if it has ended.
  bool sleeps(pid_t process);

  /// Names as in sysctl(8): "net.ipv4.tcp_retries2", or with slashes if a part has dots.
  void write_sysctl(const std::string& name, const std::string& value);
  std::string read_sysctl(const std::string& name);
  bool has_sysctl(const std::string& name);
  void write_resolver_file(const std::string& text) { write_file(netns::kResolverFile, text); }
  void write_private_file(const netns::PrivateFile& file);
  /// Shows a folder of the lab at a path, writable (netns::Machine).
  void attach_folder(const std::string& folder, const std::string& path);
  void hide_folder(const std::string& folder);
  /// Listens for DNS queries on these addresses, port 53.
  void listen_dns(const std::vector<base::IpAddress>& addresses);
  void reply_dns(Bytes asker, Bytes reply);
  std::string read_file(const std::string& path);
  void write_file(const std::string& path, const std::string& text);

  /// Returns what to add to a time that a program has read from CLOCK_MONOTONIC.
  base::nanoseconds clock_offset() const { return clock_offset_; }
  /// Finds that out. Done when it boots.
  void measure_clock();

  bool is_on() const { return process_ != nullptr; }
  /// Kills the guest at once. Its messages are ignored from now on.
  void power_off();

private:
  class Questions;

  Guest(GuestClock& clock, const GuestRequest& request);

  /// Handles what comes while it boots. Returns true when its agent is up.
  bool is_up();
  void configure();
  void await_ticks();
  void configure_network();
  void await_timers();

  Message ask(Kind kind, Bytes payload);
  /// Asks, and returns the number that the answer is.
  std::uint64_t ask_number(Kind kind, Bytes payload);
  void fetch();
  void tell(const Message& message);
  bool is_quiet() const;
  void note_waiting();
  std::string last_words() const;
  [[noreturn]] void throw_dead();
  std::string show_to_kernel(const std::string& folder);
  base::Instant instant_of(std::uint64_t guest_time) const;

  netns::HostConfig config_;
  std::string kernel_path_;
  std::shared_ptr<const netns::MachineView> view_;  // null: its process sees what the lab sees
  int shown_folders_ = 0;                           // how many of the lab's it sees besides
  std::unique_ptr<GuestChannel> channel_;
  std::unique_ptr<ClockPlace> place_;
  std::unique_ptr<KernelProcess> process_;  // null: its power is off
  base::FileDescriptor waits_;              // an eventfd: received_ has something
  base::FileDescriptor poll_;               // an epoll(7) of all that receive() looks at
  std::deque<Message> received_;
  GuestListener* listener_ = nullptr;
  std::string release_;
  base::nanoseconds clock_offset_{};
};

}  // namespace tcplab::uml
