// The running kernel of a guest, and the questions to its agent. A question is synchronous: one
// message to the agent, one answer. What the agent sends meanwhile waits for receive().
// Single-threaded.
#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "base/kernel_questions.hh"
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

class GuestKernel {
public:
  /// Starts the kernel. `host`: its name, for errors. Throws base::SystemError.
  GuestKernel(GuestClock& clock, std::string host, const KernelRequest& request);
  ~GuestKernel();
  GuestKernel(const GuestKernel&) = delete;
  GuestKernel& operator=(const GuestKernel&) = delete;

  const std::string& host() const { return host_; }
  const std::string& path() const { return path_; }  // of the User-mode Linux
  pid_t pid() const { return process_->pid(); }
  ClockPlace& place() { return *place_; }

  /// What its process sees of the machine's files; null if that is what the lab sees.
  const netns::MachineView* view() const { return view_.get(); }
  /// Calls a function in a process with the mounts of the kernel's process: netns::do_inside().
  std::string do_inside(const std::function<void()>& task) const;

  /// Says what the kernel does, for one that hangs.
  std::string activity() const;
  std::string last_words() const;

  /// Returns a descriptor that is readable when receive() has something to do.
  int descriptor() const { return poll_.get(); }
  /// Passes all waiting messages to a function. Never waits. Throws base::LabError if the kernel
  /// has ended.
  void receive(const std::function<void(const Message&)>& handle);
  /// Returns the first waiting message; nothing if there is none. Throws like receive().
  std::optional<Message> take();

  /// Asks the agent. Throws Refusal, or base::LabError if the kernel has ended.
  Message ask(Kind kind, Bytes payload);
  /// Asks, and returns the number that the answer is.
  std::uint64_t ask_number(Kind kind, Bytes payload);
  /// Asks the kernel by netlink(7). This object must outlive it.
  std::unique_ptr<base::KernelQuestions> questions(int protocol);

  bool is_on() const { return process_ != nullptr; }
  /// Kills the kernel at once. Its messages are ignored from now on.
  void power_off();

private:
  class Questions;

  void fetch();
  bool is_quiet() const;
  void note_waiting();
  [[noreturn]] void throw_dead();

  std::string host_;
  std::string path_;
  std::shared_ptr<const netns::MachineView> view_;
  std::unique_ptr<GuestChannel> channel_;
  std::unique_ptr<ClockPlace> place_;
  std::unique_ptr<KernelProcess> process_;  // null: its power is off
  base::FileDescriptor waits_;              // an eventfd: received_ has something
  base::FileDescriptor poll_;               // an epoll(7) of all that receive() looks at
  std::deque<Message> received_;
};

}  // namespace tcplab::uml
