#include "app/terminal/readiness.hh"

#include <sys/epoll.h>

#include "base/error.hh"

namespace tcplab::app {

base::FileDescriptor readiness_of(int descriptor, ReadyTo what) {
  base::FileDescriptor poll(base::check("wait for the terminal", ::epoll_create1(EPOLL_CLOEXEC)));
  epoll_event event{};
  event.events = what == ReadyTo::read ? EPOLLIN : EPOLLOUT;
  base::check("wait for the terminal", ::epoll_ctl(poll.get(), EPOLL_CTL_ADD, descriptor, &event));
  return poll;
}

}  // namespace tcplab::app
