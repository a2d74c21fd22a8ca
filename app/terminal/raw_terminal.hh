// Puts a terminal into a mode that delivers each key at once. The destructor restores it.
#pragma once

#include <termios.h>

namespace tcplab::app {

/// The size of a terminal's window; zeros if unknown.
struct Window {
  int columns = 0;
  int rows = 0;
};
Window window_of(int descriptor);

/// Discards the keys that were typed before now, so that they do not answer a later question.
void forget_keys(int terminal);

/// Whether Ctrl-Z and Ctrl-\ are ordinary keys or signals. As signals they leave the terminal in
/// this mode.
enum class StopKeys { are_keys, are_signals };

class RawTerminal {
public:
  /// Turns off line buffering and echo (termios(3)). Ctrl-C remains a signal.
  RawTerminal(int descriptor, StopKeys stop_keys);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

private:
  int descriptor_;
  termios before_{};
};

}  // namespace tcplab::app
