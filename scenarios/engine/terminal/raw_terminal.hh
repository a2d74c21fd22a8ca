// A terminal that gives each key as it is pressed, and is given back as it was, whatever happens.
#pragma once

#include <termios.h>

namespace tcplab::engine {

/// The window of the terminal that this descriptor is; zeros where nobody knows.
struct Window {
  int columns = 0;
  int rows = 0;
};
Window window_of(int descriptor);

/// What was typed while nobody asked for a key is no answer, and not for the shell.
void forget_keys(int terminal);

/// What becomes of Ctrl-Z and Ctrl-\, which would leave the terminal behind as it is.
enum class StopKeys { are_keys, are_signals };

class RawTerminal {
public:
  /// Keys one by one, unseen (termios(3)). Ctrl-C goes on being a signal, for whoever handles it.
  RawTerminal(int descriptor, StopKeys stop_keys);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

private:
  int descriptor_;
  termios before_{};
};

}  // namespace tcplab::engine
