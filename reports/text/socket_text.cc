#include "reports/text/socket_text.hh"

#include <fmt/format.h>

namespace tcplab::reports {

namespace {

using capture::Socket;
using capture::SocketDetail;
using capture::TcpState;

// idiag_timer, sock_diag(7).
enum Timer : std::uint8_t { none = 0, retransmit = 1, keepalive = 2, time_wait = 3, probe = 4 };

// TCP_INFINITE_SSTHRESH (include/net/tcp.h) means that nothing was lost yet.
constexpr std::uint32_t kNoThreshold = 0x7fffffff;

std::string count(std::uint32_t number, const std::string& one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

std::string in_a_while(std::uint32_t milliseconds) {
  if (milliseconds < 1000) return fmt::format("in {} ms", milliseconds);
  return fmt::format("in {:.1f} s", double(milliseconds) / 1000);
}

std::string milliseconds(capture::nanoseconds span) {
  const double value = std::chrono::duration<double, std::milli>(span).count();
  return fmt::format("{:.{}f} ms", value, value < 1 ? 2 : value < 10 ? 1 : 0);
}

bool is_minisocket(const Socket& socket) { return socket.timer == time_wait; }

std::string what_is_sent(TcpState state) {
  if (state == TcpState::syn_sent) return "the SYN ";
  if (state == TcpState::syn_recv) return "the SYN-ACK ";
  return "";
}

}  // namespace

std::string ends_text(const Socket& socket, const HostNames& names) {
  return fmt::format("{}, port {} with {}", capture::name(socket.state), socket.local.port,
                     names.name(socket.remote));
}

std::string queues_text(const SocketDetail& detail) {
  if (is_minisocket(detail.socket)) return "";
  std::string text =
      fmt::format("queues: {} out, {} in", detail.socket.send_queue, detail.socket.receive_queue);
  if (detail.sending && detail.sending->unacked > 0)
    text += "; " + count(detail.sending->unacked, "segment") + " unacked";
  return text;
}

std::string sending_text(const SocketDetail& detail) {
  if (!detail.sending) return "";
  const capture::SendingInfo& sending = *detail.sending;
  std::string text = fmt::format("cwnd {}", sending.cwnd);
  if (sending.ssthresh < kNoThreshold) text += fmt::format(", ssthresh {}", sending.ssthresh);
  text += ", rto " + milliseconds(sending.rto);
  if (sending.rtt.count() > 0) text += ", rtt " + milliseconds(sending.rtt);
  if (sending.all_retransmits > 0) text += ", " + count(sending.all_retransmits, "retransmission");
  return text;
}

std::string timer_text(const Socket& socket) {
  const std::string when = in_a_while(socket.timer_expires_ms);
  const std::string state(capture::name(socket.state));
  switch (socket.timer) {
    case retransmit:
      return "retransmits " + what_is_sent(socket.state) + when;
    case keepalive: {
      const std::string unanswered =
          socket.retransmits == 0 ? "" : ", " + count(socket.retransmits, "probe") + " unanswered";
      return "keepalive " + when + unanswered;
    }
    case time_wait:
      return state + " ends " + when;
    case probe:
      return "probes the zero window " + when;
    default:
      return "no timer";
  }
}

}  // namespace tcplab::reports
