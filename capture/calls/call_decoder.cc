#include "capture/calls/call_decoder.hh"

#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"
#include "base/socket_options.hh"
#include "capture/calls/awaited_descriptors.hh"
#include "capture/calls/call_text.hh"
#include "capture/calls/tracee_layout.hh"

namespace tcplab::capture {

namespace {

using Kind = CallKind;

constexpr std::uint32_t kPollBits = 0x3fff;  // epoll's events that poll(2) has, too

int descriptor_argument(const CallStop& stop, int index = 0) {
  return static_cast<int>(stop.arguments[static_cast<std::size_t>(index)]);
}

/// True if the data goes to the socket: of a splice(2), if it does not come from it.
bool sends(const CallStop& stop, const Call& call) {
  if (stop.call->kind == CallKind::splice) return call.fd != call.source_fd;
  return stop.call->direction == DataDirection::send;
}

}  // namespace

std::optional<Call> CallDecoder::enter(const CallStop& stop) {
  Call call;
  call.pid = stop.process;
  if (stop.thread != stop.process) call.tid = stop.thread;
  call.call = stop.call->name;
  const bool is_recorded = enter_one(stop, call);
  note_closing(stop);
  if (!is_recorded) return std::nullopt;
  return call;
}

void CallDecoder::note_closing(const CallStop& stop) {
  const Kind kind = stop.call->kind;
  const auto close = [&](int first, int last) {
    sockets_.closes(stop.process, stop.thread, first, last);
  };
  if (kind == Kind::close) close(descriptor_argument(stop), descriptor_argument(stop));
  if (kind == Kind::replace) close(descriptor_argument(stop, 1), descriptor_argument(stop, 1));
  if (kind == Kind::close_range) close(0, INT_MAX);
}

bool CallDecoder::enter_one(const CallStop& stop, Call& call) {
  const Kind kind = stop.call->kind;
  if (kind == Kind::close_range) return enter_close_range(stop, call);
  if (kind == Kind::epoll_control) return enter_epoll_control(stop, call);
  if (waits_for_several(kind) || is_epoll_wait(kind)) return enter_wait(stop, call);
  if (kind == Kind::socket) {
    constexpr std::uint64_t kTypes = 0xf;  // SOCK_TYPE_MASK in include/linux/net.h
    call.arguments = argument_text(stop);
    return (stop.arguments[1] & kTypes) == SOCK_STREAM &&
           (stop.arguments[2] == 0 || stop.arguments[2] == IPPROTO_TCP);
  }
  return enter_socket(stop, call);
}

bool CallDecoder::enter_socket(const CallStop& stop, Call& call) {
  const Kind kind = stop.call->kind;
  if (!take_socket(stop.process, descriptor_argument(stop), call) &&
      (kind != Kind::splice || !take_socket(stop.process, descriptor_argument(stop, 2), call)))
    return false;
  call.arguments = argument_text(stop);
  if (kind == Kind::splice) call.source_fd = descriptor_argument(stop);
  if (kind == Kind::connect) {
    TracedSocket& socket = *sockets_.find(stop.process, call.fd);
    socket.local.reset();
    socket.remote = address_argument(stop);
    take_addresses(socket, call);
  }
  return true;
}

bool CallDecoder::take_socket(pid_t process, int descriptor, Call& call) {
  const TracedSocket* socket = sockets_.find(process, descriptor);
  if (socket == nullptr) return false;
  call.fd = descriptor;
  take_addresses(*socket, call);
  return true;
}

/// A listener has no connection.
void CallDecoder::take_addresses(const TracedSocket& socket, Call& call) {
  call.remote = socket.remote;
  call.local = socket.remote ? socket.local : std::nullopt;
}

/// The call is about a socket if the range has only one.
bool CallDecoder::enter_close_range(const CallStop& stop, Call& call) {
  constexpr std::uint64_t kOnlyMarks =
      4;  // CLOSE_RANGE_CLOEXEC in include/uapi/linux/close_range.h
  if ((stop.arguments[2] & kOnlyMarks) != 0) return false;
  const auto first = static_cast<std::uint32_t>(stop.arguments[0]);
  const auto last = static_cast<std::uint32_t>(stop.arguments[1]);
  std::vector<int> closed;
  for (const int descriptor : sockets_.descriptors(stop.process))
    if (std::cmp_greater_equal(descriptor, first) && std::cmp_less_equal(descriptor, last) &&
        sockets_.find(stop.process, descriptor) != nullptr)
      closed.push_back(descriptor);
  if (closed.empty()) return false;
  if (closed.size() == 1) take_socket(stop.process, closed[0], call);
  for (const int descriptor : closed) call.arguments += fmt::format("{{fd {}}} ", descriptor);
  call.arguments.back() = ',';
  call.arguments += fmt::format(" {} to {}", first, last);
  return true;
}

bool CallDecoder::enter_epoll_control(const CallStop& stop, Call& call) {
  constexpr std::array<std::string_view, 4> kOperations = {"", "EPOLL_CTL_ADD", "EPOLL_CTL_DEL",
                                                           "EPOLL_CTL_MOD"};
  const int descriptor = descriptor_argument(stop, 2);
  if (!take_socket(stop.process, descriptor, call)) return false;
  call.fd = descriptor_argument(stop);
  const auto event = read_value<epoll_event>(stop.thread, stop.arguments[3]);
  const auto operation = stop.arguments[1];
  if (operation != EPOLL_CTL_DEL && event)
    epolls_[{stop.process, call.fd, event->data.u64}] = descriptor;
  call.arguments = fmt::format(
      "{}, {}", kOperations[operation < kOperations.size() ? operation : 0], descriptor);
  if (operation != EPOLL_CTL_DEL && event)
    call.arguments += ", " + poll_events(static_cast<int>(event->events & kPollBits));
  return true;
}

bool CallDecoder::enter_wait(const CallStop& stop, Call& call) {
  if (is_epoll_wait(stop.call->kind)) {
    call.fd = descriptor_argument(stop);
    const auto first = epolls_.lower_bound({stop.process, call.fd, 0});
    if (first == epolls_.end() || std::get<0>(first->first) != stop.process ||
        std::get<1>(first->first) != call.fd)
      return false;
  } else {
    for (const auto& [descriptor, events] : awaited(stop)) {
      if (sockets_.find(stop.process, descriptor) == nullptr) continue;
      call.arguments += fmt::format("{}{{fd {} {}}}", call.arguments.empty() ? "" : " ", descriptor,
                                    poll_events(events));
    }
    if (call.arguments.empty()) return false;
    call.arguments += ", ";
  }
  call.arguments += timeout_text(stop);
  return true;
}

bool CallDecoder::leave(const CallStop& stop, std::int64_t result, Call& call) {
  call.phase = CallPhase::leave;
  call.result = result < 0 ? -1 : result;
  call.error = result < 0 ? static_cast<int>(-result) : 0;
  const Kind kind = stop.call->kind;
  if (kind == Kind::connect) {
    if (const TracedSocket* socket = sockets_.refresh(stop.process, call.fd))
      take_addresses(*socket, call);
  }
  if (result < 0) return true;
  if (kind == Kind::bind || kind == Kind::listen) sockets_.refresh(stop.process, call.fd);
  if (kind == Kind::accept) leave_accept(stop, call);
  if (kind == Kind::get_option) leave_option(stop, call);
  if (kind == Kind::poll || kind == Kind::ppoll) leave_poll(stop, call);
  if (kind == Kind::select || kind == Kind::pselect) leave_select(stop, call);
  if (is_epoll_wait(kind)) leave_epoll(stop, call);
  if (stop.call->direction != DataDirection::none) {
    call.data = data_text(stop, result);
    // The kernel stores the length of each message that it has received or sent.
    if (kind == Kind::messages)
      call.value = octets_of_messages(stop, stop.arguments[1], static_cast<std::size_t>(result));
    count_bytes(stop, call);
  }
  if (kind == Kind::splice) count_bytes(stop, call);
  return !is_epoll_wait(kind) || result == 0 || !call.ready.empty();
}

Call CallDecoder::set_option(const CallStop& stop, int descriptor, const ImposedOption& option) {
  Call call;
  call.pid = stop.process;
  if (stop.thread != stop.process) call.tid = stop.thread;
  call.call = "setsockopt";
  call.phase = CallPhase::leave;
  call.by_lab = true;
  take_socket(stop.process, descriptor, call);
  call.arguments = fmt::format("{} = {}", option.option->name, option.value);
  call.error = sockets_.set_option(stop.process, descriptor, *option.option, option.value);
  call.result = call.error == 0 ? 0 : -1;
  return call;
}

std::uint64_t CallDecoder::bytes_before(const CallStop& stop, const Call& call) {
  const TracedSocket* socket = sockets_.find(stop.process, call.fd);
  if (socket == nullptr) return 0;
  return sends(stop, call) ? socket->sent : socket->received;
}

/// recvmmsg(2) and sendmmsg(2) return messages, and their bytes are the value; MSG_PEEK leaves the
/// bytes there.
void CallDecoder::count_bytes(const CallStop& stop, const Call& call) {
  const Kind kind = stop.call->kind;
  const int flags = kind == Kind::datagram || kind == Kind::messages ? 3 : 2;
  const bool has_flags = kind == Kind::datagram || kind == Kind::message || kind == Kind::messages;
  const bool peeks = has_flags && (descriptor_argument(stop, flags) & MSG_PEEK) != 0;
  TracedSocket* socket = sockets_.find(stop.process, call.fd);
  if (peeks || socket == nullptr) return;
  const auto* messages = std::get_if<std::int64_t>(&call.value);
  const std::int64_t octets = messages != nullptr ? *messages : call.result;
  (sends(stop, call) ? socket->sent : socket->received) += static_cast<std::uint64_t>(octets);
}

void CallDecoder::leave_accept(const CallStop& stop, Call& call) {
  if (const TracedSocket* accepted = sockets_.find(stop.process, static_cast<int>(call.result)))
    take_addresses(*accepted, call);
}

/// SO_ERROR hands out an error; other options have a number here.
void CallDecoder::leave_option(const CallStop& stop, Call& call) {
  const auto value = read_value<int>(stop.thread, stop.arguments[3]);
  const base::SocketOption* option =
      base::find_socket_option(descriptor_argument(stop, 1), descriptor_argument(stop, 2));
  if (!value || option == nullptr) return;
  if (option->kind == base::OptionKind::error) {
    call.error = *value;
    if (*value == 0) call.value = std::int64_t{0};
  } else if (option->kind == base::OptionKind::number) {
    call.value = std::int64_t{*value};
  }
}

void CallDecoder::leave_poll(const CallStop& stop, Call& call) {
  if (call.result == 0) return;
  for (const pollfd& entry : polled(stop))
    if (entry.fd >= 0 && entry.revents != 0)
      add_ready(stop.process, entry.fd, static_cast<std::uint16_t>(entry.revents), call);
}

void CallDecoder::leave_select(const CallStop& stop, Call& call) {
  if (call.result == 0) return;
  for (const auto& [descriptor, events] : selected(stop))
    add_ready(stop.process, descriptor, events, call);
}

void CallDecoder::leave_epoll(const CallStop& stop, Call& call) {
  const auto count = std::min<std::size_t>(static_cast<std::size_t>(call.result), kMostDescriptors);
  for (const epoll_event& event : read_values<epoll_event>(stop.thread, stop.arguments[1], count)) {
    const auto watched = epolls_.find({stop.process, call.fd, event.data.u64});
    if (watched != epolls_.end())
      add_ready(stop.process, watched->second, static_cast<int>(event.events & kPollBits), call);
  }
}

/// With one socket ready, the call is about its connection.
void CallDecoder::add_ready(pid_t process, int descriptor, int events, Call& call) {
  const TracedSocket* socket = sockets_.find(process, descriptor);
  if (socket == nullptr) return;
  call.ready.push_back({descriptor, events});
  const bool is_only = call.ready.size() == 1;
  call.revents = is_only ? events : 0;
  take_addresses(is_only ? *socket : TracedSocket{}, call);
}

void CallDecoder::forget(pid_t process) {
  sockets_.forget(process);
  epolls_.erase(epolls_.lower_bound({process, INT_MIN, 0}),
                epolls_.lower_bound({process + 1, INT_MIN, 0}));
}

}  // namespace tcplab::capture
