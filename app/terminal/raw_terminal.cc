#include "app/terminal/raw_terminal.hh"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.hh"

namespace tcplab::app {

Window window_of(int descriptor) {
  winsize window{};
  if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0) return {};
  return {window.ws_col, window.ws_row};
}

void forget_keys(int terminal) { ::tcflush(terminal, TCIFLUSH); }

RawTerminal::RawTerminal(int descriptor, StopKeys stop_keys) : descriptor_(descriptor) {
  base::check("read the terminal's settings", ::tcgetattr(descriptor_, &before_));
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (stop_keys == StopKeys::are_keys) raw.c_cc[VSUSP] = raw.c_cc[VQUIT] = _POSIX_VDISABLE;
  base::check("turn off the terminal's line mode", ::tcsetattr(descriptor_, TCSADRAIN, &raw));
}

RawTerminal::~RawTerminal() { ::tcsetattr(descriptor_, TCSADRAIN, &before_); }

}  // namespace tcplab::app
