#include "lab/hosts/stack_clock.hh"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <filesystem>
#include <set>
#include <utility>

#include "base/error.hh"
#include "base/own_part.hh"

namespace tcplab::lab {

using namespace std::chrono_literals;

namespace {

constexpr const char* kLibrary = "tcplab-clock.so";

// Between two looks at hosts that run. A look takes 5 us for each thread.
constexpr base::nanoseconds kShortestPause = 60us;
constexpr base::nanoseconds kLongestPause = 10ms;
// A host that computes for less says nothing.
constexpr base::nanoseconds kPatience = 3s;

base::Instant machine_now() { return std::chrono::steady_clock::now(); }

void ring(std::atomic<std::uint32_t>& bell) {
  ++bell;
  ::syscall(SYS_futex, &bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool is_due(std::int64_t deadline, base::Instant now) {
  return deadline != kNoDeadline && deadline != kBeingRung &&
         base::from_nanoseconds(deadline) <= now;
}

}  // namespace

StackClock::StackClock()
    : again_(base::check("create the clock's timer",
                         ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))) {}

std::unique_ptr<StackClockPlace> StackClock::add(std::string host,
                                                 std::function<std::vector<pid_t>()> processes) {
  return std::make_unique<StackClockPlace>(*this, std::move(host), std::move(processes));
}

/// Hosts that run do not say when they stop. So the lab looks again: soon if the loop has done
/// anything since, for a host may have got something to do then; else later each time.
void StackClock::look_again() {
  pause_ = std::exchange(has_rung_, false) ? std::min(2 * pause_, kLongestPause) : kShortestPause;
  itimerspec setting{};
  setting.it_value = {0, static_cast<long>(pause_.count())};
  base::check("set the clock's timer", ::timerfd_settime(again_.get(), 0, &setting, nullptr));
}

void StackClock::serve() {
  std::uint64_t count = 0;
  has_rung_ = ::read(again_.get(), &count, sizeof count) > 0;
}

std::optional<ClockHosts::Rest> StackClock::rest() {
  if (!has_begun_) return std::nullopt;
  Rest rest;
  for (StackClockPlace* place : places_) {
    const HostLook look = place->look();
    if (look.state != HostLook::State::rests) {
      note_obstacle(*place, look);
      wake_due();
      look_again();
      return std::nullopt;
    }
    place->restless_since_.reset();
    rest.mark = 31 * rest.mark + look.mark;
    if (look.next_timer)
      rest.next_timer = std::min(rest.next_timer.value_or(*look.next_timer), *look.next_timer);
  }
  return rest;
}

void StackClock::note_obstacle(StackClockPlace& place, const HostLook& look) {
  for (StackClockPlace* other : places_)
    if (other != &place) other->restless_since_.reset();
  if (!place.restless_since_) place.restless_since_ = machine_now();
  if (place.has_said_ || machine_now() - *place.restless_since_ < kPatience) return;
  place.has_said_ = true;
  if (on_obstacle)
    on_obstacle("time passes as usual while a process of " + place.host_ + " " + look.why);
}

void StackClock::skip(base::nanoseconds time) {
  if (time.count() > 0) base::skip_time(time);
  has_rung_ = false;  // the hosts have something to do
  for (const StackClockPlace* place : places_)
    place->page_->skipped = base::time_course().skipped.count();
  wake_due();
}

void StackClock::wake_due() const {
  for (const StackClockPlace* place : places_) place->wake_due(base::now());
}

StackClockPlace::StackClockPlace(StackClock& clock, std::string host,
                                 std::function<std::vector<pid_t>()> processes)
    : clock_(clock),
      host_(std::move(host)),
      processes_(std::move(processes)),
      bell_(base::check("create a clock's bell", ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
      memory_(base::check("create a clock's page",
                          ::memfd_create("tcplab-clock", MFD_CLOEXEC | MFD_ALLOW_SEALING))) {
  base::check("size a clock's page", ::ftruncate(memory_.get(), sizeof(HostClockPage)));
  // A process that made it shorter would end the lab.
  base::check("seal a clock's page",
              ::fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
  void* memory =
      ::mmap(nullptr, sizeof(HostClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) throw base::SystemError("map a clock's page", errno);
  page_ = static_cast<HostClockPage*>(memory);
  page_->origin = base::to_nanoseconds(base::time_course().origin);
  page_->slowness = base::time_course().slowness;
  page_->skipped = base::time_course().skipped.count();
  page_->own_deadline = kNoDeadline;
  clock_.places_.push_back(this);
}

StackClockPlace::~StackClockPlace() {
  std::erase(clock_.places_, this);
  ::munmap(page_, sizeof(HostClockPage));
}

void StackClockPlace::give_bell_to(netns::SpawnRequest& request, int number) const {
  request.descriptors[number] = bell_.get();
  request.environment.emplace_back(kBellVariable, std::to_string(number));
}

void StackClockPlace::give_to(netns::SpawnRequest& request, int number) const {
  forget_ended();
  request.descriptors[number] = memory_.get();
  request.environment.emplace_back(kClockVariable, std::to_string(number));
  request.environment.emplace_back("LD_PRELOAD", base::find_own_part(kLibrary));
}

std::string StackClockPlace::library_folder() {
  return std::filesystem::path(base::find_own_part(kLibrary)).parent_path().string();
}

/// Between two listings, nobody starts without a trace.
HostLook StackClockPlace::look() {
  if (const std::int64_t newest = newest_process(); newest != newest_process_ || newest == 0) {
    files_.clear();
    for (const pid_t process : processes_()) files_.emplace_back(process);
    newest_process_ = newest;
  }
  return look_at_processes(files_, *page_);
}

/// After a skip, a process waits too long by its own timer.
void StackClockPlace::wake_due(base::Instant now) const {
  for (ClockClient& client : page_->clients)
    if (client.process != 0 && is_due(client.deadline, now)) ring(client.bell);
  const std::uint64_t one = 1;
  if (page_->own_process != 0 && is_due(page_->own_deadline, now) &&
      ::write(bell_.get(), &one, sizeof one) == -1)
    return;  // it has not read billions of rings
}

/// Gives back the places of processes that have ended. One that takes a place meanwhile is not
/// among those that had one before.
void StackClockPlace::forget_ended() const {
  std::vector<ClockClient*> clients;
  for (ClockClient& client : page_->clients)
    if (client.process != 0) clients.push_back(&client);
  std::set<std::int64_t> living;
  for (const pid_t process : processes_()) living.insert(ProcessFiles(process).look().own_id);
  for (ClockClient* client : clients) {
    std::int64_t process = client->process;
    if (!living.contains(process)) client->process.compare_exchange_strong(process, 0);
  }
}

}  // namespace tcplab::lab
