#include "lab/wire/virtual_clock.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <utility>

#include "base/early_alarm.hh"

namespace tcplab::lab {

namespace {

using boost::asio::posix::stream_descriptor;

class VirtualAlarm;

/// The alarms that are set, and a timer that rings when the first of them is due, or before.
class AlarmQueue {
public:
  explicit AlarmQueue(boost::asio::io_context& loop) : timer_(loop) {}

  using Place = std::multimap<base::Instant, std::function<void()>>::iterator;

  Place add(base::Instant when, std::function<void()> ring) {
    const Place place = alarms_.emplace(when, std::move(ring));
    if (place == alarms_.begin()) arm();
    return place;
  }

  /// If it was the first, the timer rings in vain.
  void remove(Place place) noexcept { alarms_.erase(place); }

  std::optional<base::Instant> first() const {
    return alarms_.empty() ? std::nullopt : std::optional(alarms_.begin()->first);
  }

  /// To be called after a skip too: the timer knows only this machine's clock.
  void arm() {
    if (is_silent_ || alarms_.empty()) return;
    const auto when = early_.set_for(alarms_.begin()->first, std::chrono::steady_clock::now());
    if (!when) return;
    timer_.expires_at(*when);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) ring_due();
    });
  }

  /// Rings no alarm until time goes on.
  void be_silent(bool is_silent) {
    is_silent_ = is_silent;
    arm();
  }

private:
  /// An alarm that rings may set and cancel others.
  void ring_due() {
    if (is_silent_) return;
    while (!alarms_.empty() && alarms_.begin()->first <= base::now()) {
      const std::function<void()> ring = alarms_.begin()->second;
      ring();
    }
    arm();
  }

  std::multimap<base::Instant, std::function<void()>> alarms_;
  boost::asio::steady_timer timer_;
  base::EarlyAlarm early_;  // when timer_ rings
  bool is_silent_ = false;
};

class VirtualAlarm : public Alarm {
public:
  explicit VirtualAlarm(AlarmQueue& queue) : queue_(queue) {}
  ~VirtualAlarm() override { cancel(); }
  VirtualAlarm(const VirtualAlarm&) = delete;
  VirtualAlarm& operator=(const VirtualAlarm&) = delete;

  void set(base::Instant when, std::function<void()> ring) override {
    cancel();
    place_ = queue_.add(when, [this, ring = std::move(ring)] {
      cancel();
      ring();
    });
  }

  void cancel() override {
    if (place_) queue_.remove(*std::exchange(place_, std::nullopt));
  }

private:
  AlarmQueue& queue_;
  std::optional<AlarmQueue::Place> place_;
};

class VirtualClock : public Clock {
public:
  VirtualClock(boost::asio::io_context& loop, ClockHosts& hosts)
      : loop_(loop), hosts_(hosts), alarms_(loop), rested_(loop, hosts.descriptor()) {}
  ~VirtualClock() override { rested_.release(); }  // the descriptor belongs to the hosts
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  base::Instant now() const override { return base::now(); }
  std::unique_ptr<Alarm> make_alarm() override { return std::make_unique<VirtualAlarm>(alarms_); }

  void run() override {
    listen();
    while (!loop_.stopped()) {
      const bool has_worked = loop_.poll() > 0;
      if (has_worked && between_turns) between_turns();
      see_time_go_on();
      if (!has_worked && !skip()) loop_.run_one();
    }
  }

  bool can_stand_still() const override { return hosts_.can_stand_still(); }
  bool skips_time() const override { return hosts_.may_skip(); }

  void hold(bool is_held) override {
    is_held_ = is_held;
    if (!is_held) hosts_.resume();
    see_time_go_on();
  }

private:
  /// Rings alarms again if time has gone on: something was sent to a host.
  void see_time_go_on() {
    if (!is_still_ || hosts_.stands_still()) return;
    is_still_ = false;
    alarms_.be_silent(false);
  }

  void stand_still() {
    hosts_.stand_still();
    is_still_ = hosts_.stands_still();
    alarms_.be_silent(is_still_);
  }

  void listen() {
    rested_.async_wait(stream_descriptor::wait_read,
                       [this](const boost::system::error_code& error) {
                         if (error) return;
                         hosts_.serve();
                         listen();
                       });
  }

  /// Returns false if time cannot be skipped: then only something on the loop, or a host's own
  /// timer, goes on.
  bool skip() {
    if (is_still_) return false;
    const auto rest = hosts_.rest();
    if (!rest) return false;
    if (loop_.poll() > 0) return true;
    const auto again = hosts_.rest();
    if (!again || again->mark != rest->mark) return true;
    if (is_held_) {
      stand_still();
      return false;
    }
    std::optional<base::Instant> next = alarms_.first();
    if (again->next_timer) next = next ? std::min(*next, *again->next_timer) : again->next_timer;
    if (!next) return false;
    const base::nanoseconds distance = *next - base::now();
    hosts_.skip(std::max(distance, base::nanoseconds{}));
    alarms_.arm();
    return distance.count() > 0;
  }

  boost::asio::io_context& loop_;
  ClockHosts& hosts_;
  AlarmQueue alarms_;
  stream_descriptor rested_;
  bool is_held_ = false;
  bool is_still_ = false;
};

}  // namespace

std::unique_ptr<Clock> make_virtual_clock(boost::asio::io_context& loop, ClockHosts& hosts) {
  return std::make_unique<VirtualClock>(loop, hosts);
}

}  // namespace tcplab::lab
