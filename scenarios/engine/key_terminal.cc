#include "scenarios/engine/key_terminal.hh"

#include <poll.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::engine {

namespace {

constexpr char kEndOfInput = 4;  // Ctrl-D: nobody makes an end of input of it in these modes
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

/// While it lives these signals wait, and can be polled for. Each is then delivered as if it had
/// come after.
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

/// No lines and no echo while it lives; Ctrl-C is a signal as ever (termios(3), ISIG).
class KeyMode {
public:
  explicit KeyMode(int terminal) : terminal_(terminal) {
    if (::tcgetattr(terminal, &before_) != 0) throw base::SystemError("tcgetattr", errno);
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    if (::tcsetattr(terminal, TCSADRAIN, &keys) != 0) throw base::SystemError("tcsetattr", errno);
  }
  ~KeyMode() { ::tcsetattr(terminal_, TCSADRAIN, &before_); }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;

private:
  int terminal_;
  termios before_{};
};

/// A key, an end of input, or (the outer one empty) a signal that has come first.
std::optional<std::optional<char>> key_or_signal(int terminal) {
  const HeldSignals signals;
  const KeyMode mode(terminal);
  std::array<pollfd, 2> events{{{signals.descriptor(), POLLIN, 0}, {terminal, POLLIN, 0}}};
  while (::poll(events.data(), events.size(), -1) < 0)
    if (errno != EINTR) throw base::SystemError("poll", errno);
  if (events[0].revents != 0) return std::nullopt;
  char key = kEndOfInput;
  if (::read(terminal, &key, 1) != 1 || key == kEndOfInput) return std::optional<char>();
  return std::optional<char>(key);
}

}  // namespace

std::optional<char> next_key(int terminal) {
  for (;;)  // a signal that only stopped us (Ctrl-Z), and somebody has said fg
    if (const auto key = key_or_signal(terminal)) return *key;
}

void forget_keys(int terminal) { ::tcflush(terminal, TCIFLUSH); }

}  // namespace tcplab::engine
