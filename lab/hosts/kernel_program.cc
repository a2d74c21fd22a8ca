#include "lab/hosts/kernel_program.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.hh"
#include "netns/clone.hh"

namespace tcplab::lab {

namespace {

// A pipe's capacity (pipe(7)): what is written at once can be read at once, as in namespaces.
constexpr std::size_t kInputAtOnce = 64 * 1024;

netns::ProgramEnd end_of(int wait_status) {
  if (WIFEXITED(wait_status)) return {.has_exited = true, .value = WEXITSTATUS(wait_status)};
  return {.has_exited = false, .value = WTERMSIG(wait_status)};
}

}  // namespace

GuestProcess::GuestProcess(boost::asio::io_context& loop, const netns::SpawnRequest& request)
    : mark_(request.mark),
      end_(base::check("make an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      input_(loop) {
  for (const auto& [target, ours] : request.descriptors) {
    if (request.has_terminal && target == STDERR_FILENO) continue;  // shown on descriptor 1
    base::FileDescriptor copy = netns::duplicate(ours);
    if (target == STDIN_FILENO)
      input_.assign(copy.release());
    else
      outputs_.try_emplace(target, loop, std::move(copy));
  }
  if (request.tracing)
    outputs_.try_emplace(uml::kCallsStream, loop, netns::duplicate(request.tracing->calls));
}

void GuestProcess::started(uml::Guest& guest, pid_t pid) {
  guest_ = &guest;
  pid_ = pid;
  clock_offset_ = guest.time().offset();
  if (input_.is_open()) relay_input();
}

void GuestProcess::relay_input() {
  input_.async_wait(
      boost::asio::posix::stream_descriptor::wait_read,
      [this](const boost::system::error_code& error) {
        if (error || guest_ == nullptr || has_ended_) return;
        std::array<std::uint8_t, kInputAtOnce> buffer{};
        const ssize_t size = ::read(input_.native_handle(), buffer.data(), buffer.size());
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) return relay_input();
        base::check("read the input of a program", size);
        if (size > 0) {
          guest_->programs().input(pid_, base::Bytes(buffer).first(static_cast<std::size_t>(size)));
          return relay_input();
        }
        guest_->programs().close_input(pid_);
        input_.close();
      });
}

void GuestProcess::wrote(int descriptor, base::Bytes bytes) {
  if (const auto found = outputs_.find(descriptor); found != outputs_.end())
    found->second.write(bytes);
}

void GuestProcess::closed(int descriptor) {
  if (const auto found = outputs_.find(descriptor); found != outputs_.end()) found->second.finish();
}

void GuestProcess::ended(int wait_status) {
  if (has_ended_) return;
  has_ended_ = end_of(wait_status);
  if (input_.is_open()) input_.close();  // nobody reads it
  const std::uint64_t one = 1;
  base::check("signal the end of a program", ::write(end_.get(), &one, sizeof one));
}

void GuestProcess::lost_power() {
  guest_ = nullptr;
  for (auto& [descriptor, output] : outputs_) output.finish();
  ended(SIGKILL);  // as a wait status: killed by that signal
}

std::optional<netns::ProgramEnd> KernelProgram::try_wait() {
  if (runs()) process_->guest()->receive();
  return process_->end();
}

bool KernelProgram::signal(int signal) {
  return runs() && process_->guest()->programs().signal(process_->pid(), signal);
}

std::size_t KernelProgram::signal_all(int signal) {
  if (process_->guest() == nullptr) return 0;
  return process_->guest()->programs().signal_all(process_->mark(), signal);
}

std::vector<pid_t> KernelProgram::processes() const {
  if (process_->guest() == nullptr) return {};
  return process_->guest()->programs().processes(process_->mark());
}

bool KernelProgram::await_end(bool of_all, std::chrono::milliseconds most) {
  const auto have_ended = [&] { return try_wait() && (!of_all || processes().empty()); };
  if (have_ended() || process_->guest() == nullptr) return true;
  pollfd news{process_->guest()->descriptor(), POLLIN, 0};
  ::poll(&news, 1, static_cast<int>(most.count()));
  return have_ended();
}

bool KernelProgram::ignores(int signal) const {
  return runs() && process_->guest()->programs().ignores(process_->pid(), signal);
}

bool KernelProgram::sleeps() const {
  return runs() && process_->guest()->programs().sleeps(process_->pid());
}

netns::Holding KernelProgram::look_for(std::uint32_t inode) {
  read_sockets(true);
  return had(inode) ? netns::Holding::yes : netns::Holding::no;
}

void KernelProgram::read_sockets(bool of_all) {
  sockets_.clear();
  if (process_->guest() == nullptr) return;
  sockets_ =
      process_->guest()->programs().sockets(of_all ? processes() : std::vector<pid_t>{pid()});
}

bool KernelProgram::had(std::uint32_t inode) const {
  return std::ranges::find(sockets_, inode) != sockets_.end();
}

}  // namespace tcplab::lab
