#include "uml/guest_clock.hh"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "base/error.hh"

namespace tcplab::uml {

using namespace std::chrono_literals;

namespace {

using base::FileDescriptor;

// So slow that the clock stands still: 1 ns in 1000 s.
constexpr std::int64_t kStandstill = 1'000'000'000'000;

FileDescriptor make_memory() {
  FileDescriptor memory(
      base::check("create the clock's page", ::memfd_create("tcplab-clock", MFD_CLOEXEC)));
  base::check("size the clock's page", ::ftruncate(memory.get(), sizeof(ClockPage)));
  return memory;
}

void add_to_poll(const FileDescriptor& poll, const FileDescriptor& descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  base::check("wait for the clock",
              ::epoll_ctl(poll.get(), EPOLL_CTL_ADD, descriptor.get(), &event));
}

void empty(const FileDescriptor& counter) {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = ::read(counter.get(), &count, sizeof count);
}

}  // namespace

GuestClock::GuestClock(std::int64_t slowness)
    : memory_(make_memory()),
      bell_(base::check("create the clock's bell", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      alarm_(base::check("create the clock's alarm",
                         ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))),
      poll_(base::check("wait for the clock", ::epoll_create1(EPOLL_CLOEXEC))) {
  void* memory =
      ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) throw base::SystemError("map the clock's page", errno);
  page_ = static_cast<ClockPage*>(memory);
  if (slowness != 1) base::slow_time(slowness);
  page_->origin = base::to_nanoseconds(base::time_course().origin);
  page_->slowness = slowness_ = base::time_course().slowness;
  page_->offset = base::time_course().skipped.count();
  add_to_poll(poll_, bell_);
  add_to_poll(poll_, alarm_);
}

GuestClock::~GuestClock() { ::munmap(page_, sizeof(ClockPage)); }

std::unique_ptr<ClockPlace> GuestClock::add(std::function<bool()> is_quiet) {
  resume();
  for (std::size_t number = 0; number < ClockPage::kSlots; ++number)
    if (std::ranges::find(places_, number, &ClockPlace::number) == places_.end())
      return std::make_unique<ClockPlace>(*this, number, std::move(is_quiet));
  throw base::LabError("a run can have at most " + std::to_string(ClockPage::kSlots) +
                       " kernel hosts");
}

void GuestClock::serve() {
  empty(bell_);
  empty(alarm_);
  if (!has_skipped_ || stands_still_) return;  // each guest's own timer is right
  wake_due();
  set_alarm();
}

std::optional<GuestClock::Rest> GuestClock::sleep() const {
  Rest rest;
  for (const ClockPlace* place : places_) {
    const auto sleeps = place->sleeps();
    // One that we have just woken does not run yet, but will.
    if (!sleeps || *sleeps == place->woken_) return std::nullopt;
    rest.mark += *sleeps;
    const auto timer = base::from_nanoseconds(place->slot().deadline);
    if (!rest.next_timer || timer < *rest.next_timer) rest.next_timer = timer;
  }
  return rest;
}

std::optional<GuestClock::Rest> GuestClock::rest() const {
  const auto before = sleep();
  if (!before || !std::ranges::all_of(places_, [](auto* place) { return place->is_quiet(); }))
    return std::nullopt;
  // A second look: a guest that has run in between may have sent something to another one.
  const auto after = sleep();
  return after && after->mark == before->mark ? after : std::nullopt;
}

void GuestClock::skip(base::nanoseconds distance) {
  if (distance > base::nanoseconds::zero()) {
    base::skip_time(distance);
    page_->offset = base::time_course().skipped.count();
    has_skipped_ = true;
  }
  if (!has_skipped_) return;
  wake_due();
  set_alarm();
}

void GuestClock::signal_all(int signal) const {
  for (const ClockPlace* place : places_) place->send_signal(signal);
}

/// The guests sleep, so none of them runs another instruction after SIGSTOP, unless its timer has
/// just expired.
void GuestClock::stand_still() {
  const auto before = rest();
  if (stands_still_ || !before || slowness_ == 1) return;
  signal_all(SIGSTOP);
  const auto after = rest();
  if (!after || after->mark != before->mark) {
    signal_all(SIGCONT);
    return;
  }
  base::slow_time(kStandstill);
  stands_still_ = true;
}

/// The guests' own timers have expired too early. A kernel sets its timer again if nothing is due.
void GuestClock::resume() {
  if (!stands_still_) return;
  base::slow_time(slowness_);
  page_->origin = base::to_nanoseconds(base::time_course().origin);
  page_->offset = base::time_course().skipped.count();
  stands_still_ = false;
  has_skipped_ = true;
  signal_all(SIGCONT);
  wake_due();
  set_alarm();
}

void GuestClock::hurry(base::nanoseconds most) {
  pollfd bell{poll_.get(), POLLIN, 0};
  ::poll(&bell, 1, 10);
  serve();
  if (slowness_ == 1) return;
  const auto rest = this->rest();
  if (rest && rest->next_timer)
    skip(std::clamp(*rest->next_timer - base::now(), base::nanoseconds{}, most));
}

/// A guest's timer runs in the machine's time: after a skip it is late, until the guest runs and
/// sets it again.
void GuestClock::wake_due() {
  const base::Instant time = base::now();
  for (ClockPlace* place : places_) {
    const auto sleeps = place->sleeps();
    if (!sleeps || *sleeps == place->woken_) continue;
    if (base::from_nanoseconds(place->slot().deadline) > time) continue;
    place->woken_ = *sleeps;
    place->send_signal(kWakeSignal);
  }
}

void GuestClock::set_alarm() {
  std::optional<base::Instant> first;
  for (const ClockPlace* place : places_) {
    const auto sleeps = place->sleeps();
    if (!sleeps || *sleeps == place->woken_) continue;
    const auto timer = base::from_nanoseconds(place->slot().deadline);
    if (!first || timer < *first) first = timer;
  }
  if (!first) return;
  const auto when = early_.set_for(*first, std::chrono::steady_clock::now());
  if (!when) return;
  const std::int64_t count = std::max<std::int64_t>(base::to_nanoseconds(*when), 1);
  itimerspec setting{};
  setting.it_value = {count / 1'000'000'000, static_cast<long>(count % 1'000'000'000)};
  base::check("set the clock's alarm",
              ::timerfd_settime(alarm_.get(), TFD_TIMER_ABSTIME, &setting, nullptr));
}

ClockPlace::ClockPlace(GuestClock& clock, std::size_t number, std::function<bool()> is_quiet)
    : clock_(clock), number_(number), is_quiet_(std::move(is_quiet)) {
  GuestSlot& mine = slot();
  for (auto* each : {&mine.pid, &mine.sleeps, &mine.wakes, &mine.deadline, &mine.held, &mine.ahead})
    *each = 0;
  clock_.places_.push_back(this);
}

void ClockPlace::send_signal(int signal) const {
  if (process_ > 0 && slot().pid != 0) ::kill(process_, signal);
}

void ClockPlace::age() { slot().ahead = kAge.count(); }

ClockPlace::~ClockPlace() { std::erase(clock_.places_, this); }

bool ClockPlace::has_no_tick() const {
  const auto sleeps = this->sleeps();
  return sleeps && *sleeps != woken_ &&
         base::from_nanoseconds(slot().deadline) > base::now() + kLongestTick;
}

std::string ClockPlace::activity() const {
  const auto sleeps = this->sleeps();
  if (!sleeps) return "it runs";
  const auto rest = base::from_nanoseconds(slot().deadline) - base::now();
  return "it sleeps, and its timer " + std::string(rest < 0ns ? "was due " : "is due in ") +
         base::describe(rest < 0ns ? -rest : rest) + (rest < 0ns ? " ago" : "");
}

base::Instant ClockPlace::hold() {
  const base::Instant time = base::now() + kHold;
  slot().held = base::to_nanoseconds(time);
  return time;
}

std::optional<std::uint64_t> ClockPlace::sleeps() const {
  const GuestSlot& mine = slot();
  const std::int64_t sleeps = mine.sleeps;
  const std::int64_t wakes = mine.wakes;
  if (sleeps != mine.sleeps || sleeps != wakes + 1) return std::nullopt;
  return static_cast<std::uint64_t>(sleeps);
}

}  // namespace tcplab::uml
