// Shows how far the reading of a large file has come: one line on the terminal, which is erased at
// the end. Nothing in the first 2 s.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace tcplab::app {

class ReadProgress {
public:
  using Clock = std::chrono::steady_clock;

  /// Writes nothing to `out` if that is no terminal. `file` is the name to show.
  ReadProgress(std::ostream& out, bool is_terminal, std::string file,
               std::function<Clock::time_point()> now = Clock::now);
  ~ReadProgress();
  ReadProgress(const ReadProgress&) = delete;
  ReadProgress& operator=(const ReadProgress&) = delete;

  /// Notes that a frame was read.
  void frame() {
    if (++frames_ % kPause == 0 && is_terminal_) show();
  }

  static constexpr std::uint64_t kPause = 16384;  // frames between two looks at the clock

private:
  void show();

  std::ostream& out_;
  bool is_terminal_;
  std::string file_;
  std::function<Clock::time_point()> now_;
  Clock::time_point next_;
  bool is_shown_ = false;
  std::uint64_t frames_ = 0;
};

}  // namespace tcplab::app
