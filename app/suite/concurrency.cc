#include "app/suite/concurrency.hh"

#include <algorithm>
#include <chrono>

namespace tcplab::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFirst = 16;
constexpr std::size_t kLeast = 2;
constexpr base::nanoseconds kLate = 100ms;  // half of RTO_MIN
constexpr base::nanoseconds kHold = 1s;
constexpr base::nanoseconds kPause = 500ms;

}  // namespace

Concurrency::Concurrency(std::size_t most) : most_(most), allowed_(std::min(most, kFirst)) {}

void Concurrency::ticked(base::Instant now, base::nanoseconds late, std::size_t running) {
  if (late > kLate) return shrink(now, running);
  if (now < grows_after_) return;
  allowed_ = std::min(most_, allowed_ + std::max<std::size_t>(1, allowed_ / 8));
  if (was_busy_) grows_after_ = now + kPause;
}

void Concurrency::starved(base::Instant now, std::size_t running) {
  if (now - shrunk_ >= kPause) shrink(now, running);
}

void Concurrency::shrink(base::Instant now, std::size_t running) {
  allowed_ = std::min(most_, std::max(kLeast, running * 3 / 4));
  shrunk_ = now;
  grows_after_ = now + kHold;
  was_busy_ = true;
}

}  // namespace tcplab::app
