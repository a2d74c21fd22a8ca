// Lines of standard input, read without waiting for it.
#pragma once

#include <optional>
#include <string>

namespace tcplab::app {

class InputLines {
public:
  /// Of a line that has more bytes than `longest`, keeps a part that has more, too.
  explicit InputLines(std::size_t longest = std::string::npos / 2) : longest_(longest) {}

  /// Reads what has come, up to the first whole line, and at most 64 KiB. Returns the next line,
  /// without its end; empty if it is not whole yet, or if there is none.
  std::optional<std::string> next();
  /// Returns true if more input can be read at once.
  bool is_ready() const;

  /// Returns true if the end of the input was read. Lines before it may still be left.
  bool has_ended() const { return has_ended_; }
  /// Returns true if the input has ended, and next() has returned all lines.
  bool is_at_end() const { return has_ended_ && partial_.empty(); }

private:
  void read();

  std::size_t longest_;
  std::string partial_;  // what next() has not returned yet
  bool has_ended_ = false;
};

}  // namespace tcplab::app
