#include "capture/calls/traced_sockets.hh"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>

#include "base/socket_address.hh"

namespace tcplab::capture {

namespace {

// A server that has accepted more connections than this asks the kernel about the open ones again.
constexpr std::size_t kMostSockets = 100'000;

/// 3 -> "3", without the memory allocation of std::to_string: this runs at every call.
class DecimalName {
public:
  explicit DecimalName(int number) {
    *std::to_chars(text_.data(), text_.data() + text_.size() - 1, number).ptr = '\0';
  }
  const char* c_str() const { return text_.data(); }

private:
  std::array<char, 16> text_{};
};

}  // namespace

TracedSockets::Process& TracedSockets::open(pid_t process) {
  Process& opened = processes_[process];
  if (!opened.descriptors) reopen(process, opened);
  return opened;
}

void TracedSockets::reopen(pid_t process, Process& opened) {
  opened.descriptors = base::FileDescriptor(
      ::open(("/proc/" + std::to_string(process) + "/fd").c_str(), O_PATH | O_CLOEXEC));
}

TracedSockets::Found TracedSockets::look(pid_t process, int descriptor) {
  if (descriptor < 0) return {};
  Process& of = open(process);
  if (const auto known = of.known.find(descriptor); known != of.known.end()) return known->second;
  struct stat status {};
  const DecimalName name(descriptor);
  if (::fstatat(of.descriptors.get(), name.c_str(), &status, 0) != 0) {
    // An open folder keeps the owner that it had before execve(2) or setuid(2) (pid_revalidate()).
    if (errno != EACCES) return {};
    reopen(process, of);
    if (::fstatat(of.descriptors.get(), name.c_str(), &status, 0) != 0) return {};
  }
  const Found found{status.st_ino, S_ISSOCK(status.st_mode)};
  if (of.remembers && of.closing.empty()) of.known.emplace(descriptor, found);
  return found;
}

void TracedSockets::closes(pid_t process, pid_t thread, int first, int last) {
  Process& of = open(process);
  std::erase_if(of.known, [first, last](const auto& entry) {
    return entry.first >= first && entry.first <= last;
  });
  of.closing.push_back(thread);
}

void TracedSockets::has_closed(pid_t process, pid_t thread) {
  const auto found = processes_.find(process);
  if (found != processes_.end()) std::erase(found->second.closing, thread);
}

void TracedSockets::forget_descriptors(pid_t process) {
  const auto found = processes_.find(process);
  if (found != processes_.end()) found->second.known.clear();
}

void TracedSockets::never_remember(pid_t process) {
  Process& of = open(process);
  of.known.clear();
  of.remembers = false;
}

std::vector<int> TracedSockets::descriptors(pid_t process) {
  std::vector<int> found;
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(process) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    found.push_back(std::atoi(entry.path().filename().c_str()));
  std::ranges::sort(found);
  return found;
}

TracedSocket* TracedSockets::find(pid_t process, int descriptor) {
  const Found found = look(process, descriptor);
  if (!found.is_socket) return nullptr;
  if (sockets_.size() >= kMostSockets) sockets_.clear();
  const auto [known, is_new] = sockets_.try_emplace(found.inode);
  if (is_new) ask(process, descriptor, known->second);
  return known->second.is_tcp ? &known->second : nullptr;
}

TracedSocket* TracedSockets::refresh(pid_t process, int descriptor) {
  TracedSocket* socket = find(process, descriptor);
  if (socket != nullptr) ask(process, descriptor, *socket);
  return socket;
}

/// For a moment only (pidfd_getfd(2)). The program is stopped, so it cannot close its own in that
/// time, and no FIN is late.
base::FileDescriptor TracedSockets::duplicate(pid_t process, int descriptor) {
  Process& of = open(process);
  if (!of.pidfd)
    of.pidfd = base::FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  base::FileDescriptor copy(
      static_cast<int>(::syscall(SYS_pidfd_getfd, of.pidfd.get(), descriptor, 0)));
  is_refused_ = is_refused_ || (!copy && (errno == EPERM || errno == ENOSYS));
  return copy;
}

std::optional<TcpState> TracedSockets::state(pid_t process, int descriptor) {
  const base::FileDescriptor copy = duplicate(process, descriptor);
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(copy.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  return static_cast<TcpState>(info.tcpi_state);
}

int TracedSockets::set_option(pid_t process, int descriptor, const base::SocketOption& option,
                              int value) {
  const base::FileDescriptor copy = duplicate(process, descriptor);
  if (!copy) return errno;
  const bool is_set =
      ::setsockopt(copy.get(), option.level, option.number, &value, sizeof value) == 0;
  return is_set ? 0 : errno;
}

void TracedSockets::ask(pid_t process, int descriptor, TracedSocket& socket) {
  const base::FileDescriptor copy = duplicate(process, descriptor);
  int protocol = 0;
  socklen_t size = sizeof protocol;
  socket.is_tcp = ::getsockopt(copy.get(), SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
                  protocol == IPPROTO_TCP;
  if (!socket.is_tcp) return;
  if (auto local = base::ask_address(copy.get(), ::getsockname); local && local->port != 0)
    socket.local = local;
  // A socket that has lost its connection still had one: keep what is known.
  if (auto remote = base::ask_address(copy.get(), ::getpeername)) socket.remote = remote;
}

}  // namespace tcplab::capture
