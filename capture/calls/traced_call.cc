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

#if defined(__x86_64__)
// arch/x86/entry/syscalls/syscall_32.tbl. The old select(2), which has its arguments in memory, is
// missing: no C library of today makes it.
constexpr auto kCallsOfI386 = std::to_array<TracedCall>({
    {"read", 3, Kind::transfer, DataDirection::receive},
    {"write", 4, Kind::transfer, DataDirection::send},
    {"readv", 145, Kind::vector, DataDirection::receive},
    {"writev", 146, Kind::vector, DataDirection::send},
    {"preadv2", 378, Kind::vector, DataDirection::receive},
    {"pwritev2", 379, Kind::vector, DataDirection::send},
    {"recvfrom", 371, Kind::datagram, DataDirection::receive},
    {"sendto", 369, Kind::datagram, DataDirection::send},
    {"recvmsg", 372, Kind::message, DataDirection::receive},
    {"sendmsg", 370, Kind::message, DataDirection::send},
    {"recvmmsg", 337, Kind::messages, DataDirection::receive},
    {"recvmmsg", 417, Kind::messages, DataDirection::receive, {}, true},
    {"sendmmsg", 345, Kind::messages, DataDirection::send},
    {"sendfile", 187, Kind::sendfile, DataDirection::send},
    {"sendfile", 239, Kind::sendfile, DataDirection::send},
    {"splice", 313, Kind::splice},
    {"epoll_wait", 256, Kind::epoll_wait},
    {"epoll_pwait", 319, Kind::epoll_wait},
    {"epoll_pwait2", 441, Kind::epoll_pwait2, DataDirection::none, {}, true},
    {"epoll_ctl", 255, Kind::epoll_control},
    {"poll", 168, Kind::poll},
    {"ppoll", 309, Kind::ppoll},
    {"ppoll", 414, Kind::ppoll, DataDirection::none, {}, true},
    {"select", 142, Kind::select},
    {"pselect6", 308, Kind::pselect},
    {"pselect6", 413, Kind::pselect, DataDirection::none, {}, true},
    {"close", 6, Kind::close},
    {"close_range", 436, Kind::close_range},
    {"socket", 359, Kind::socket, DataDirection::none, {0, kInternet}},
    {"connect", 362, Kind::connect},
    {"accept", -1, Kind::accept},  // by socketcall(2) only
    {"accept4", 364, Kind::accept},
    {"bind", 361, Kind::bind},
    {"listen", 363, Kind::listen},
    {"shutdown", 373, Kind::shutdown},
    {"dup", 41, Kind::duplicate},
    {"dup2", 63, Kind::replace},
    {"dup3", 330, Kind::replace},
    {"fcntl", 55, Kind::control, DataDirection::none, {1, kControls}},
    {"fcntl", 221, Kind::control, DataDirection::none, {1, kControls}},
    {"ioctl", 54, Kind::control, DataDirection::none, {1, kNonBlocking}},
    {"getsockopt", 365, Kind::get_option, DataDirection::none, {1, kLevels}},
    {"setsockopt", 366, Kind::set_option, DataDirection::none, {1, kLevels}},
    {"restart_syscall", 0, Kind::restart},
    {"exit_group", 252, Kind::exit},
});
#else
constexpr std::array<TracedCall, 0> kCallsOfI386{};
#endif

// By number (include/uapi/linux/net.h); empty: not traced.
constexpr auto kSocketCalls = std::to_array<std::string_view>(
    {"",           "socket",     "bind",    "connect",  "listen",  "accept",   "",
     "",           "",           "sendto",  "recvfrom", "sendto",  "recvfrom", "shutdown",
     "setsockopt", "getsockopt", "sendmsg", "recvmsg",  "accept4", "recvmmsg", "sendmmsg"});

/// As the filter does: looks at the lower half of the argument.
bool has_traced_arguments(const TracedCall& call, std::span<const std::uint64_t> arguments) {
  const ArgumentFilter& only = call.only;
  if (only.argument < 0) return true;
  const auto value = static_cast<std::uint32_t>(arguments[static_cast<std::size_t>(only.argument)]);
  return std::ranges::find(only.values, value) != only.values.end();
}

}  // namespace

std::span<const TracedCall> traced_calls(Abi abi) {
  if (abi == Abi::i386) return kCallsOfI386;
  return kCalls;
}

const TracedCall* find_traced_call(Abi abi, long number, std::span<const std::uint64_t> arguments) {
  const auto calls = traced_calls(abi);
  const auto found = std::ranges::find(calls, number, &TracedCall::number);
  return found != calls.end() && has_traced_arguments(*found, arguments) ? &*found : nullptr;
}

const TracedCall* find_socket_call(std::uint64_t which, std::span<const std::uint64_t> arguments) {
  if (which >= kSocketCalls.size() || kSocketCalls[which].empty()) return nullptr;
  const auto calls = traced_calls(Abi::i386);
  const auto found = std::ranges::find(calls, kSocketCalls[which], &TracedCall::name);
  return found != calls.end() && has_traced_arguments(*found, arguments) ? &*found : nullptr;
}

}  // namespace tcplab::capture
