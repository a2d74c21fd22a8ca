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

class RawTerminal {
public:
  /// Keys one by one, unseen (termios(3)). Ctrl-C goes on being a signal, for whoever handles it;
  /// Ctrl-Z and Ctrl-\, which would leave the terminal behind as it is, are none.
  explicit RawTerminal(int descriptor);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

private:
  int descriptor_;
  termios before_{};
};

}  // namespace tcplab::engine
