#include "dnc/log/event_output.hh"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/error.hh"

namespace tcplab::dnc {

namespace {

// Blocks SIGPIPE in this thread, and discards the one that a write raised meanwhile. The kernel
// directs a SIGPIPE of write(2) at the thread that wrote (signal(7)).
class SigpipeBlocker {
public:
  SigpipeBlocker() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~SigpipeBlocker() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SigpipeBlocker(const SigpipeBlocker&) = delete;
  SigpipeBlocker& operator=(const SigpipeBlocker&) = delete;

  void discard_pending() const {
    const timespec at_once{};
    sigtimedwait(&sigpipe_, nullptr, &at_once);
  }

private:
  sigset_t sigpipe_{};
  sigset_t before_{};
};

ssize_t write_without_sigpipe(int descriptor, std::string_view bytes) {
  const SigpipeBlocker blocker;
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  if (written == -1 && errno == EPIPE) {
    blocker.discard_pending();
    errno = EPIPE;
  }
  return written;
}

void wait_for_room(int descriptor) {
  pollfd room{.fd = descriptor, .events = POLLOUT, .revents = 0};
  ::poll(&room, 1, -1);
}

}  // namespace

EventOutput::EventOutput(int descriptor) : descriptor_(descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags == -1)
    throw base::UsageError("descriptor " + std::to_string(descriptor) + " is not open");
  if ((flags & O_ACCMODE) == O_RDONLY)
    throw base::UsageError("descriptor " + std::to_string(descriptor) + " is not open for writing");
  struct stat status {};
  raises_sigpipe_ = ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

void EventOutput::write(std::string_view bytes) {
  while (!bytes.empty() && !broken_) write_some(bytes);
}

void EventOutput::write_some(std::string_view& bytes) {
  const ssize_t written = raises_sigpipe_ ? write_without_sigpipe(descriptor_, bytes)
                                          : ::write(descriptor_, bytes.data(), bytes.size());
  if (written >= 0) {
    bytes.remove_prefix(static_cast<std::size_t>(written));
  } else if (errno == EAGAIN) {
    wait_for_room(descriptor_);
  } else if (errno != EINTR) {
    fail(errno);
  }
}

void EventOutput::fail(int error) {
  broken_ = true;
  if (error == EPIPE) return;
  std::fprintf(stderr, "dnc: cannot write the log of calls: %s; dnc goes on without it\n",
               std::strerror(error));
}

}  // namespace tcplab::dnc
