#include "capture/calls/traced_call.hh"

#include <asm/unistd.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace tcplab::capture {

namespace {

using Kind = CallKind;

constexpr std::array<std::uint32_t, 2> kInternet = {AF_INET, AF_INET6};
constexpr std::array<std::uint32_t, 3> kControls = {F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC};
constexpr std::array<std::uint32_t, 1> kNonBlocking = {FIONBIO};
constexpr std::array<std::uint32_t, 2> kLevels = {SOL_SOCKET, IPPROTO_TCP};

// arm64 has only the newer call of each pair: accept and accept4, poll and ppoll.
constexpr auto kCalls = std::to_array<TracedCall>({
    {"read", __NR_read, Kind::transfer, DataDirection::receive},
    {"write", __NR_write, Kind::transfer, DataDirection::send},
    {"readv", __NR_readv, Kind::vector, DataDirection::receive},
    {"writev", __NR_writev, Kind::vector, DataDirection::send},
    {"preadv2", __NR_preadv2, Kind::vector, DataDirection::receive},
    {"pwritev2", __NR_pwritev2, Kind::vector, DataDirection::send},
    {"recvfrom", __NR_recvfrom, Kind::datagram, DataDirection::receive},
    {"sendto", __NR_sendto, Kind::datagram, DataDirection::send},
    {"recvmsg", __NR_recvmsg, Kind::message, DataDirection::receive},
    {"sendmsg", __NR_sendmsg, Kind::message, DataDirection::send},
    {"recvmmsg", __NR_recvmmsg, Kind::messages, DataDirection::receive},
    {"sendmmsg", __NR_sendmmsg, Kind::messages, DataDirection::send},
    {"sendfile", __NR_sendfile, Kind::sendfile, DataDirection::send},
    {"splice", __NR_splice, Kind::splice},
    {"epoll_pwait", __NR_epoll_pwait, Kind::epoll_wait},
    {"epoll_pwait2", __NR_epoll_pwait2, Kind::epoll_pwait2},
    {"epoll_ctl", __NR_epoll_ctl, Kind::epoll_control},
    {"ppoll", __NR_ppoll, Kind::ppoll},
    {"pselect6", __NR_pselect6, Kind::pselect},
#ifdef __NR_epoll_wait
    {"epoll_wait", __NR_epoll_wait, Kind::epoll_wait},
    {"poll", __NR_poll, Kind::poll},
    {"select", __NR_select, Kind::select},
    {"dup2", __NR_dup2, Kind::replace},
#endif
    {"close", __NR_close, Kind::close},
    {"close_range", __NR_close_range, Kind::close_range},
    {"socket", __NR_socket, Kind::socket, DataDirection::none, {0, kInternet}},
    {"connect", __NR_connect, Kind::connect},
    {"accept", __NR_accept, Kind::accept},
    {"accept4", __NR_accept4, Kind::accept},
    {"bind", __NR_bind, Kind::bind},
    {"listen", __NR_listen, Kind::listen},
    {"shutdown", __NR_shutdown, Kind::shutdown},
    {"dup", __NR_dup, Kind::duplicate},
    {"dup3", __NR_dup3, Kind::replace},
    {"fcntl", __NR_fcntl, Kind::control, DataDirection::none, {1, kControls}},
    {"ioctl", __NR_ioctl, Kind::control, DataDirection::none, {1, kNonBlocking}},
    {"getsockopt", __NR_getsockopt, Kind::get_option, DataDirection::none, {1, kLevels}},
    {"setsockopt", __NR_setsockopt, Kind::set_option, DataDirection::none, {1, kLevels}},
    {"restart_syscall", __NR_restart_syscall, Kind::restart},
    {"exit_group", __NR_exit_group, Kind::exit},
});

}  // namespace

std::span<const TracedCall> traced_calls() { return kCalls; }

const TracedCall* find_traced_call(long number, std::span<const std::uint64_t> arguments) {
  const auto found = std::ranges::find(kCalls, number, &TracedCall::number);
  if (found == kCalls.end()) return nullptr;
  const ArgumentFilter& only = found->only;
  if (only.argument < 0) return &*found;
  // As the filter does: the lower half of the argument.
  const auto value = static_cast<std::uint32_t>(arguments[static_cast<std::size_t>(only.argument)]);
  return std::ranges::find(only.values, value) == only.values.end() ? nullptr : &*found;
}

}  // namespace tcplab::capture
