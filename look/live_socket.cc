#include "look/live_socket.hh"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cstddef>
#include <fstream>

#include "base/socket_address.hh"

namespace tcplab::look {

namespace {

using base::nanoseconds;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename Value>
std::optional<Value> option(int socket, int level, int name) {
  Value value{};
  socklen_t size = sizeof value;
  if (::getsockopt(socket, level, name, &value, &size) != 0) return std::nullopt;
  return value;
}

std::optional<nanoseconds> time_option(int socket, int name) {
  const auto time = option<timeval>(socket, SOL_SOCKET, name);
  if (!time) return std::nullopt;
  return seconds(time->tv_sec) + microseconds(time->tv_usec);
}

template <typename Unit>
std::optional<nanoseconds> span_option(int socket, int name) {
  const auto count = option<int>(socket, IPPROTO_TCP, name);
  return count ? std::optional<nanoseconds>(Unit(*count)) : std::nullopt;
}

std::uint64_t count_of(int socket, unsigned long request) {
  int count = 0;
  return ::ioctl(socket, request, &count) == 0 && count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

audit::SocketFacts facts_of(int socket, const tcp_info& info, std::size_t size) {
  audit::SocketFacts facts;
  facts.state = static_cast<capture::TcpState>(info.tcpi_state);
  if (facts.state == capture::TcpState::listen) {
    facts.unread = info.tcpi_unacked;  // the accept queue (tcp_get_info())
    return facts;
  }
  facts.unread = count_of(socket, SIOCINQ);
  facts.unacknowledged = count_of(socket, SIOCOUTQ);
  facts.in_flight = info.tcpi_unacked;
  facts.retransmissions = info.tcpi_retransmits;
  facts.probes = info.tcpi_probes;
  if (size >= offsetof(tcp_info, tcpi_snd_wnd) + sizeof info.tcpi_snd_wnd)
    facts.peer_window = info.tcpi_snd_wnd;
  facts.rto = microseconds(info.tcpi_rto);
  facts.has_sent = info.tcpi_data_segs_out > 0;
  facts.has_received = info.tcpi_data_segs_in > 0;
  facts.since_sent = milliseconds(info.tcpi_last_data_sent);
  facts.since_received = milliseconds(info.tcpi_last_data_recv);
  // keepalive_time_elapsed() in include/net/tcp.h
  facts.since_heard = milliseconds(std::min(info.tcpi_last_data_recv, info.tcpi_last_ack_recv));
  return facts;
}

audit::TimeoutOptions settings_of(int socket) {
  audit::TimeoutOptions settings;
  if (const auto on = option<int>(socket, SOL_SOCKET, SO_KEEPALIVE)) settings.keepalive = *on != 0;
  settings.idle = span_option<seconds>(socket, TCP_KEEPIDLE);
  settings.interval = span_option<seconds>(socket, TCP_KEEPINTVL);
  settings.probes = option<int>(socket, IPPROTO_TCP, TCP_KEEPCNT);
  settings.user_timeout = span_option<milliseconds>(socket, TCP_USER_TIMEOUT);
  settings.syn_retries = option<int>(socket, IPPROTO_TCP, TCP_SYNCNT);
  settings.receive_timeout = time_option(socket, SO_RCVTIMEO);
  settings.send_timeout = time_option(socket, SO_SNDTIMEO);
  return settings;
}

bool read_sysctl(const char* name, int& value) {
  std::ifstream file(std::string("/proc/sys/net/ipv4/") + name);
  int read = 0;
  if (!(file >> read)) return false;
  value = read;
  return true;
}

}  // namespace

std::optional<LookedConnection> look_at_socket(int descriptor) {
  constexpr int kMptcp = 262;  // IPPROTO_MPTCP in linux/in.h; it has a TCP_INFO
  const auto protocol = option<int>(descriptor, SOL_SOCKET, SO_PROTOCOL);
  if (protocol != IPPROTO_TCP && protocol != kMptcp) return std::nullopt;
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  const auto local = base::ask_address(descriptor, ::getsockname);
  if (!local) return std::nullopt;
  return LookedConnection{.descriptors = {},
                          .local = *local,
                          .remote = base::ask_address(descriptor, ::getpeername),
                          .facts = facts_of(descriptor, info, size),
                          .settings = settings_of(descriptor)};
}

audit::KernelSettings kernel_settings() {
  audit::KernelSettings settings;
  settings.are_assumed = !read_sysctl("tcp_retries2", settings.retries2) ||
                         !read_sysctl("tcp_syn_retries", settings.syn_retries);
  read_sysctl("tcp_syn_linear_timeouts", settings.syn_linear_timeouts);  // Linux 6.5 or newer
  if (int least = 0; read_sysctl("tcp_rto_min_us", least) && least > 0)
    settings.rto_min = microseconds(least);
  if (int most = 0; read_sysctl("tcp_rto_max_ms", most) && most > 0)
    settings.rto_max = milliseconds(most);
  return settings;
}

}  // namespace tcplab::look
