// The clock that a run shares with its guests: base::now(). Each guest reports when it is idle.
// While all of them are, the lab may skip time (base::skip_time()) to the next timer or deadline.
// Single-threaded.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "base/early_alarm.hh"
#include "base/file_descriptor.hh"
#include "uml/clock_page.hh"

namespace tcplab::uml {

/// A guest's place on the clock's page. The guest must have died before its place is given back.
class ClockPlace;

class GuestClock {
public:
  /// From now on, base::now() and the guests' clocks pass more slowly than the machine's by the
  /// factor `slowness`. Throws base::SystemError.
  explicit GuestClock(std::int64_t slowness = 1);
  ~GuestClock();
  GuestClock(const GuestClock&) = delete;
  GuestClock& operator=(const GuestClock&) = delete;

  /// Returns a descriptor that is readable when serve() has something to do: a guest has become
  /// idle, or the timer of an idle guest is due.
  int descriptor() const { return poll_.get(); }
  void serve();

  /// What is known while all guests are idle.
  struct Rest {
    std::optional<base::Instant> next_timer{};  // of a guest; nothing if there is no guest
    std::uint64_t mark = 0;                     // another one if a guest has run since
  };
  /// Returns nothing while any guest runs, or has sent something that the lab has not received. A
  /// guest that starts may have sent something: nobody answers it before the guest is ready.
  std::optional<Rest> rest() const;

  /// Advances the clock, and wakes the guests whose timers are due by then. A distance of 0 or less
  /// only wakes guests.
  void skip(base::nanoseconds distance);

  /// Stops base::now() and all guests (SIGSTOP), so no guest's clock goes on. Does nothing if a
  /// guest has run since rest() returned a value. Only for a slow clock.
  void stand_still();
  /// Lets time go on where it stopped. A guest does so before it is sent anything.
  void resume();
  bool stands_still() const { return stands_still_; }

  /// Waits until a guest comes to rest, for at most 10 ms of the machine's time. If all of them
  /// rest then, advances a slow clock by at most `most`, to the next timer.
  void hurry(base::nanoseconds most);

  /// Gives a place to a new guest. `is_quiet`: true while no message from it is waiting. Throws
  /// base::LabError if there are too many guests.
  std::unique_ptr<ClockPlace> add(std::function<bool()> is_quiet);

private:
  friend class ClockPlace;

  /// Returns nothing while any guest runs.
  std::optional<Rest> sleep() const;
  void wake_due();
  void set_alarm();
  void signal_all(int signal) const;

  base::FileDescriptor memory_;
  base::FileDescriptor bell_;
  base::FileDescriptor alarm_;  // a timerfd
  base::EarlyAlarm early_;      // when alarm_ rings
  base::FileDescriptor poll_;   // an epoll(7) of both
  ClockPage* page_ = nullptr;
  std::vector<ClockPlace*> places_;
  bool has_skipped_ = false;
  bool stands_still_ = false;
  std::int64_t slowness_ = 1;  // as on the page, which guests can write
};

class ClockPlace {
public:
  ClockPlace(GuestClock& clock, std::size_t number, std::function<bool()> is_quiet);
  ~ClockPlace();
  ClockPlace(const ClockPlace&) = delete;
  ClockPlace& operator=(const ClockPlace&) = delete;

  std::size_t number() const { return number_; }
  /// The descriptors that the guest's kernel process inherits.
  int page_descriptor() const { return clock_.memory_.get(); }
  int bell_descriptor() const { return clock_.bell_.get(); }

  /// The process of the guest's kernel. The lab signals no other, whatever the guest writes.
  void set_process(pid_t process) { process_ = process; }
  /// The guest has started: what it sends is answered from here on.
  void be_ready() { is_ready_ = true; }

  void hurry(base::nanoseconds most) { clock_.hurry(most); }
  void resume() { clock_.resume(); }

  /// Stops the guest's clock at a time 2 ms from now, until that time comes. Returns that time. A
  /// longer stop would hurt: the guest waits for its own timers.
  base::Instant hold();

  /// Returns whether the guest sleeps without a tick: its next timer is more than 10 ms away, which
  /// is the longest tick of usual kernels. So no timer is overdue.
  bool has_no_tick() const;

  /// Puts the guest's clock 10 s ahead, once. A kernel that has run for less than a second is odd:
  /// it never uses a port in TIME_WAIT again, because a time of 0 s means that it knows none
  /// (tw_ts_recent_stamp in tcp_twsk_unique(), net/ipv4/tcp_ipv4.c).
  void age();

  /// Says whether the guest's kernel sleeps, and until when.
  std::string activity() const;

private:
  friend class GuestClock;

  static constexpr base::nanoseconds kHold = std::chrono::milliseconds(2);
  static constexpr base::nanoseconds kLongestTick = std::chrono::milliseconds(10);
  static constexpr base::nanoseconds kAge = std::chrono::seconds(10);

  bool is_quiet() const { return !is_ready_ || is_quiet_(); }
  GuestSlot& slot() const { return clock_.page_->slots[number_]; }
  /// Returns how often it has slept, if it sleeps now.
  std::optional<std::uint64_t> sleeps() const;
  /// Does nothing before the kernel has started: it might not handle the signal yet.
  void send_signal(int signal) const;

  GuestClock& clock_;
  std::size_t number_;
  std::function<bool()> is_quiet_;
  bool is_ready_ = false;
  pid_t process_ = 0;
  std::uint64_t woken_ = 0;  // the sleep that we have ended
};

}  // namespace tcplab::uml
