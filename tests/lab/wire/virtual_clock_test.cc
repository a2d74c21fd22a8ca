#include "lab/wire/virtual_clock.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;

namespace {

/// One host, whose kernel has a timer and does nothing else.
class FakeHosts : public lab::ClockHosts {
public:
  std::optional<Rest> rest() override {
    ++asked;
    if (at_second_look && asked == 2) at_second_look();
    if (busy) return std::nullopt;
    return Rest{.next_timer = timer, .mark = mark};
  }

  void skip(base::nanoseconds time) override {
    base::skip_time(time);
    skipped += time;
    if (!timer || *timer > base::now()) return;
    timer.reset();
    ++mark;
    if (on_timer) on_timer();
    ring();
  }

  void stand_still() override {
    still = true;
    if (on_still) on_still();
  }
  void resume() override { still = false; }
  bool stands_still() const override { return still; }
  int descriptor() const override { return bell_.get(); }

  void serve() override {
    std::uint64_t count = 0;
    base::check("read the bell", ::read(bell_.get(), &count, sizeof count));
  }

  void ring() const {
    const std::uint64_t one = 1;
    base::check("ring", ::write(bell_.get(), &one, sizeof one));
  }

  std::optional<base::Instant> timer{};
  std::uint64_t mark = 0;
  bool busy = false;
  bool still = false;
  int asked = 0;
  base::nanoseconds skipped{};
  std::function<void()> on_timer;
  std::function<void()> on_still;
  std::function<void()> at_second_look;

private:
  base::FileDescriptor bell_{
      base::check("make an eventfd", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))};
};

struct Bench {
  boost::asio::io_context loop;
  FakeHosts hosts;
  std::unique_ptr<lab::Clock> clock = lab::make_virtual_clock(loop, hosts);
  std::unique_ptr<lab::Alarm> end = clock->make_alarm();
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  base::Instant start = clock->now();

  void stop_after(base::nanoseconds time) {
    end->set(start + time, [this] { loop.stop(); });
  }
  /// Returns how long the test has really taken.
  base::nanoseconds wall() const { return std::chrono::steady_clock::now() - began; }
};

}  // namespace

TEST_CASE("two hours of waiting take no time") {
  Bench bench;
  bench.stop_after(2h);
  bench.clock->run();
  CHECK(bench.clock->now() >= bench.start + 2h);
  CHECK(bench.wall() < 1min);
}

TEST_CASE("alarms ring in the order of their times, each at its time") {
  Bench bench;
  std::string rung;
  const auto late = bench.clock->make_alarm();
  const auto early = bench.clock->make_alarm();
  const auto cancelled = bench.clock->make_alarm();
  late->set(bench.start + 2h, [&] { rung += "late "; });
  early->set(bench.start + 1h, [&] {
    rung += "early ";
    CHECK(bench.clock->now() >= bench.start + 1h);
    CHECK(bench.clock->now() < bench.start + 2h);
  });
  cancelled->set(bench.start + 90min, [&] { rung += "cancelled "; });
  cancelled->cancel();
  bench.stop_after(3h);
  bench.clock->run();
  CHECK(rung == "early late ");
}

TEST_CASE("an alarm that rings may set itself again") {
  Bench bench;
  int rings = 0;
  const auto alarm = bench.clock->make_alarm();
  std::function<void()> again = [&] {
    if (++rings < 5) alarm->set(bench.clock->now() + 1min, again);
  };
  alarm->set(bench.start, again);
  bench.stop_after(1h);
  bench.clock->run();
  CHECK(rings == 5);
}

TEST_CASE("time is skipped to the timer of a host, which wakes then") {
  Bench bench;
  base::Instant woken{};
  bench.hosts.timer = bench.start + 30min;
  bench.hosts.on_timer = [&] { woken = bench.clock->now(); };
  bench.stop_after(1h);
  bench.clock->run();
  CHECK(woken >= bench.start + 30min);
  CHECK(woken < bench.start + 31min);
}

TEST_CASE("while a host runs, time passes as on this machine") {
  Bench bench;
  bench.hosts.busy = true;
  bench.stop_after(50ms);
  bench.clock->run();
  CHECK(bench.hosts.skipped == 0ns);
  CHECK(bench.wall() >= 50ms);
}

TEST_CASE("what waits on the loop comes before a skip") {
  Bench bench;
  base::Instant handled{};
  boost::asio::post(bench.loop, [&] { handled = bench.clock->now(); });
  bench.stop_after(1h);
  bench.clock->run();
  CHECK(handled < bench.start + 1min);
}

TEST_CASE("a host that has run between the two looks prevents the skip") {
  Bench bench;
  bench.hosts.at_second_look = [&] {
    ++bench.hosts.mark;
    bench.hosts.timer = bench.start + 10min;  // what it set when it ran
  };
  bench.stop_after(1h);
  base::Instant woken{};
  bench.hosts.on_timer = [&] { woken = bench.clock->now(); };
  bench.clock->run();
  CHECK(woken >= bench.start + 10min);
  CHECK(woken < bench.start + 11min);
}

TEST_CASE("a clock that is held stands still once everything rests, until it is let go") {
  Bench bench;
  boost::asio::steady_timer machine(bench.loop, 50ms);  // it does not know the virtual clock
  base::nanoseconds waited{};
  bool was_still = false;
  machine.async_wait([&](const boost::system::error_code&) {
    was_still = bench.hosts.still;
    waited = bench.clock->now() - bench.start;
    bench.clock->hold(false);
  });
  bench.stop_after(1h);
  bench.clock->hold(true);
  bench.clock->run();
  CHECK(was_still);
  CHECK(waited < 1h);
  CHECK(bench.clock->now() >= bench.start + 1h);
}

TEST_CASE("what a host is sent lets time go on, until everything rests again") {
  Bench bench;
  int stops = 0;
  bench.hosts.on_still = [&] {
    if (++stops == 2) return bench.loop.stop();
    boost::asio::post(bench.loop, [&] { bench.hosts.resume(); });
  };
  bench.stop_after(1h);
  bench.clock->hold(true);
  bench.clock->run();
  CHECK(stops == 2);
  CHECK(bench.clock->now() < bench.start + 1h);
}

TEST_CASE("a clock that is held goes on while a host runs") {
  Bench bench;
  bench.hosts.busy = true;
  bench.stop_after(50ms);
  bench.clock->hold(true);
  bench.clock->run();
  CHECK_FALSE(bench.hosts.still);
  CHECK(bench.wall() >= 50ms);
}
