// The clock that a run shares with its stack hosts (docs/stacks.md, "Time"). Time is skipped while
// every process of these hosts waits. Single-threaded.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.hh"
#include "lab/clock/clock_page.hh"
#include "lab/clock/host_look.hh"
#include "lab/wire/virtual_clock.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

class StackClockPlace;

class StackClock : public ClockHosts {
public:
  /// Throws base::SystemError.
  StackClock();
  ~StackClock() override = default;
  StackClock(const StackClock&) = delete;
  StackClock& operator=(const StackClock&) = delete;

  /// From here on, time may be skipped: every host of the run has this clock.
  void begin() { has_begun_ = true; }
  /// Gives a place to a host. `processes` returns its processes.
  std::unique_ptr<StackClockPlace> add(std::string host,
                                       std::function<std::vector<pid_t>()> processes);

  /// Called once for each host that keeps time from being skipped for seconds, with the reason.
  std::function<void(const std::string& text)> on_obstacle;

  std::optional<Rest> rest() override;
  void skip(base::nanoseconds time) override;
  // While a person is asked, time passes as usual.
  void stand_still() override {}
  void resume() override {}
  bool stands_still() const override { return false; }
  bool can_stand_still() const override { return false; }
  bool may_skip() const override { return has_begun_; }
  int descriptor() const override { return again_.get(); }
  void serve() override;

private:
  friend class StackClockPlace;

  void look_again();
  void wake_due() const;
  void note_obstacle(StackClockPlace& place, const HostLook& look);

  base::FileDescriptor again_;  // a timerfd: when to look again
  base::nanoseconds pause_{};   // until then
  bool has_rung_ = false;
  bool has_begun_ = false;
  std::vector<StackClockPlace*> places_;
};

/// A host's page. Its processes must have died before it is given back.
class StackClockPlace {
public:
  StackClockPlace(StackClock& clock, std::string host,
                  std::function<std::vector<pid_t>()> processes);
  ~StackClockPlace();
  StackClockPlace(const StackClockPlace&) = delete;
  StackClockPlace& operator=(const StackClockPlace&) = delete;

  /// Gives a process the page as its descriptor `number`, and the preload library.
  void give_to(netns::SpawnRequest& request, int number) const;
  /// Gives a stack the descriptor for a clock of its own.
  void give_bell_to(netns::SpawnRequest& request, int number) const;
  /// Returns the folder of the library, which the process must see.
  static std::string library_folder();

private:
  friend class StackClock;

  HostLook look();
  void wake_due(base::Instant now) const;
  void forget_ended() const;

  StackClock& clock_;
  std::string host_;
  std::function<std::vector<pid_t>()> processes_;
  std::vector<ProcessFiles> files_;  // of these processes
  std::int64_t newest_process_ = 0;  // when they were listed
  base::FileDescriptor bell_;        // an eventfd: the timer of the stack's own clock is due
  base::FileDescriptor memory_;
  HostClockPage* page_ = nullptr;
  std::optional<base::Instant> restless_since_{};
  bool has_said_ = false;  // why
};

}  // namespace tcplab::lab
