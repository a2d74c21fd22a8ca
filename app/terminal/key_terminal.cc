#include "app/terminal/key_terminal.hh"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "app/terminal/raw_terminal.hh"
#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::app {

namespace {

constexpr char kEndOfInput = 4;  // Ctrl-D is an ordinary key in these modes
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

/// Blocks these signals during its lifetime, and makes them pollable. Blocked signals are delivered
/// when it is destroyed.
class HeldSignals {
public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kSignals) sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
    descriptor_ = base::FileDescriptor(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor_) {
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
      throw base::SystemError("signalfd", errno);
    }
  }
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int descriptor() const { return descriptor_.get(); }

private:
  sigset_t before_{};
  base::FileDescriptor descriptor_;
};

/// Waits for a key or a signal. The outer optional is empty for a signal, the inner one for the end
/// of input.
std::optional<std::optional<char>> key_or_signal(int terminal) {
  const HeldSignals signals;
  const RawTerminal keys(terminal, StopKeys::are_signals);
  std::array<pollfd, 2> events{{{signals.descriptor(), POLLIN, 0}, {terminal, POLLIN, 0}}};
  while (::poll(events.data(), events.size(), -1) < 0)
    if (errno != EINTR) throw base::SystemError("poll", errno);
  if (events[0].revents != 0) return std::nullopt;
  char key = kEndOfInput;
  std::optional<char> pressed;
  if (::read(terminal, &key, 1) == 1 && key != kEndOfInput) pressed = key;
  return pressed;
}

}  // namespace

std::optional<char> next_key(int terminal) {
  for (;;)  // wait again after a signal that only stopped us (Ctrl-Z, then fg)
    if (const auto key = key_or_signal(terminal)) return *key;
}

}  // namespace tcplab::app
