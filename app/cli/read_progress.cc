#include "app/cli/read_progress.hh"

#include <fmt/format.h>
#include <ostream>

namespace tcplab::app {

namespace {

constexpr std::chrono::milliseconds kFirst(2000);
constexpr std::chrono::milliseconds kBetween(250);
constexpr const char* kErase = "\r\033[K";  // the line

}  // namespace

ReadProgress::ReadProgress(std::ostream& out, bool is_terminal, std::string file,
                           std::function<Clock::time_point()> now)
    : out_(out),
      is_terminal_(is_terminal),
      file_(std::move(file)),
      now_(std::move(now)),
      next_(now_() + kFirst) {}

ReadProgress::~ReadProgress() {
  if (is_shown_) out_ << kErase << std::flush;
}

void ReadProgress::show() {
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + kBetween;
  is_shown_ = true;
  out_ << fmt::format("{}reading {}: {:.1f} million frames", kErase, file_, double(frames_) / 1e6)
       << std::flush;
}

}  // namespace tcplab::app
