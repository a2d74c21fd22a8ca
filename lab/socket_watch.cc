#include "lab/socket_watch.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;
using namespace std::chrono_literals;

namespace {

constexpr int kPollShare = 9;  // polls take at most a tenth of the time

}  // namespace

struct SocketWatch::DestroyWatch {
  DestroyWatch(boost::asio::io_context& loop, int descriptor) : readable(loop, descriptor) {}
  ~DestroyWatch() { readable.release(); }  // the descriptor belongs to the host
  DestroyWatch(const DestroyWatch&) = delete;
  DestroyWatch& operator=(const DestroyWatch&) = delete;

  stream_descriptor readable;
};

SocketWatch::SocketWatch(boost::asio::io_context& loop, Clock& clock, const Timeline& timeline,
                         const HostTable& hosts, SocketOwners& owners)
    : loop_(loop),
      clock_(clock),
      timeline_(timeline),
      hosts_(hosts),
      owners_(owners),
      alarm_(clock.make_alarm()) {}

SocketWatch::~SocketWatch() = default;

void SocketWatch::watch(LabHost& host) {
  if (!host.sockets().can_ask()) return;
  auto& watch = destroyed_[&host];
  if (!watch) watch = std::make_unique<DestroyWatch>(loop_, host.sockets().destroy_descriptor());
  watch->readable.async_wait(stream_descriptor::wait_read,
                             [this, &host](const boost::system::error_code& error) {
                               if (error || !destroyed_.contains(&host)) return;
                               host.sockets().look_at_destroyed();
                               this->watch(host);
                             });
}

void SocketWatch::forget(const LabHost& host) { destroyed_.erase(&host); }

void SocketWatch::look_at_all() {
  for (const auto& host : hosts_.all())
    host->sockets().look_at_all(Cause{.what = capture::StateCause::poll});
  owners_.settle();
}

void SocketWatch::look_at(LabHost& host) {
  host.sockets().look_at_all(Cause{.what = capture::StateCause::poll});
  owners_.settle();
}

/// Looks every 2 ms for an overdue TIME_WAIT would slow a virtual clock down.
void SocketWatch::schedule() {
  const base::Instant now = clock_.now();
  base::Instant next = now + pace_.pause(first_timer(hosts_.all()) - now);
  for (const auto& host : hosts_.all())
    if (const auto due = host->sockets().next_expiry(); due && (*due > now || !clock_.skips_time()))
      next = std::min(next, *due + 1ms);
  // With thousands of connections a look at all of them takes long, and a timer is always near.
  const base::nanoseconds pause = std::max<base::nanoseconds>(2ms, kPollShare * poll_took_);
  alarm_->set(std::max(next, now + pause), [this] { poll(); });
}

void SocketWatch::poll() {
  const base::Instant began = base::now();
  on_poll();
  poll_took_ = base::now() - began;
  on_polled();
  pace_.limit(clock_.skips_time() ? PollPace::kLongestVirtual : PollPace::kLongest);
  pace_.looked(timeline_.last(), first_timer(hosts_.all()) <= base::now());
  schedule();
}

}  // namespace tcplab::lab
