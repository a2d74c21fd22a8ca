#include "lab/wire/clock.hh"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tcplab::lab {

namespace {

class KernelAlarm : public Alarm {
public:
  explicit KernelAlarm(boost::asio::io_context& loop) : timer_(loop) {}

  void set(base::Instant when, std::function<void()> ring) override {
    timer_.expires_at(when);
    timer_.async_wait([ring = std::move(ring)](const boost::system::error_code& error) {
      if (!error) ring();
    });
  }

  void cancel() override { timer_.cancel(); }

private:
  boost::asio::steady_timer timer_;
};

class KernelClock : public Clock {
public:
  explicit KernelClock(boost::asio::io_context& loop) : loop_(loop) {}
  base::Instant now() const override { return base::now(); }
  std::unique_ptr<Alarm> make_alarm() override { return std::make_unique<KernelAlarm>(loop_); }
  void run() override {
    if (!between_turns) {
      loop_.run();
      return;
    }
    while (loop_.run_one() > 0) {
      loop_.poll();
      between_turns();
    }
  }

private:
  boost::asio::io_context& loop_;
};

}  // namespace

std::unique_ptr<Clock> make_kernel_clock(boost::asio::io_context& loop) {
  return std::make_unique<KernelClock>(loop);
}

}  // namespace tcplab::lab
