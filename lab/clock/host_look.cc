#include "lab/clock/host_look.hh"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fnv_hash.hh"

namespace tcplab::lab {

namespace {

using State = HostLook::State;

void does_not_rest(HostLook& host, State state, std::string why) {
  host.state = state;
  host.why = std::move(why);
}

const ClockClient* client_of(const ProcessLook& process, const HostClockPage& page) {
  const auto has_ringer = [&](const ClockClient& client) {
    return std::ranges::any_of(
        process.threads, [&](const ThreadLook& thread) { return thread.own_id == client.ringer; });
  };
  for (const ClockClient& client : page.clients)
    if (client.process == process.own_id && has_ringer(client)) return &client;
  return nullptr;
}

std::string name_of(OwnTimer timer) {
  switch (timer) {
    case OwnTimer::none:
      break;
    case OwnTimer::timerfd:
      return "timerfd_settime(2)";
    case OwnTimer::timer:
      return "timer_settime(2)";
    case OwnTimer::itimer:
      return "setitimer(2) or alarm(2)";
    case OwnTimer::socket_timeout:
      return "SO_RCVTIMEO or SO_SNDTIMEO";
  }
  return "";
}

/// A process with the preload library waits for no time itself: the library does that for it. Only
/// the library's own thread does, until the deadline that it has written.
void check_waits(HostLook& host, const ProcessLook& process, const ClockClient& client) {
  if (const auto timer = static_cast<OwnTimer>(client.own_timer.load()); timer != OwnTimer::none)
    return does_not_rest(host, State::unseen, "has set a timer with " + name_of(timer));
  for (const ThreadLook& thread : process.threads) {
    if (thread.own_id == client.ringer || thread.wait == Wait::untimed) continue;
    if (thread.wait == Wait::none) return does_not_rest(host, State::runs, "runs");
    return does_not_rest(
        host, State::unseen,
        (thread.wait == Wait::timed ? "waits for the machine's clock in system call "
                                    : "may wait for the machine's clock in system call ") +
            std::to_string(thread.call));
  }
}

void add_deadline(HostLook& host, std::int64_t deadline, base::Instant now) {
  if (deadline == kNoDeadline) return;
  const base::Instant timer = base::from_nanoseconds(deadline);
  if (timer <= now) return does_not_rest(host, State::runs, "has a timer that is due");
  host.next_timer = std::min(host.next_timer.value_or(timer), timer);
}

}  // namespace

void add_process(HostLook& host, const ProcessLook& process, const HostClockPage& page,
                 base::Instant now) {
  for (const ThreadLook& thread : process.threads) {
    if (!thread.sleeps) return does_not_rest(host, State::runs, "runs");
    const std::array values{static_cast<std::uint64_t>(thread.own_id), thread.switches};
    host.mark =
        base::fnv_hash({reinterpret_cast<const char*>(values.data()), sizeof values}, host.mark);
  }
  const bool is_own = process.own_id != 0 && page.own_process == process.own_id;
  const ClockClient* client = client_of(process, page);
  if (!is_own && client == nullptr)
    return does_not_rest(host, State::unseen,
                         "has not taken the lab's clock (a static program, perhaps)");
  if (!is_own) check_waits(host, process, *client);
  if (host.state == State::rests && client != nullptr) add_deadline(host, client->deadline, now);
  if (host.state == State::rests && is_own) add_deadline(host, page.own_deadline, now);
}

HostLook look_at_processes(std::span<ProcessFiles> processes, const HostClockPage& page) {
  HostLook host;
  for (ProcessFiles& files : processes) {
    const ProcessLook process = files.look();
    if (!process.threads.empty()) add_process(host, process, page, base::now());
    if (host.state != HostLook::State::rests) break;
  }
  return host;
}

}  // namespace tcplab::lab
