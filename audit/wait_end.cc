#include "audit/wait_end.hh"

#include <algorithm>
#include <fmt/format.h>

#include "audit/retransmission_times.hh"

namespace tcplab::audit {

namespace {

using base::nanoseconds;
using capture::TcpState;
using std::chrono::seconds;

constexpr const char* kBound =
    "To bound such a wait, give each answer a timeout in the program, or set keepalive "
    "(SO_KEEPALIVE, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT) and TCP_USER_TIMEOUT.";
constexpr const char* kBoundByProgram =
    "To bound such a wait, give each answer a timeout in the program: the peer's kernel answers "
    "for a "
    "program that is stuck.";

/// "about 14 min", "about 12 s"
std::string about(nanoseconds time) {
  constexpr nanoseconds kMinutes = seconds(120);
  constexpr nanoseconds kHours = std::chrono::hours(3);
  const auto whole = std::chrono::duration_cast<seconds>(time + std::chrono::milliseconds(500));
  if (time < seconds(10)) return "about " + base::describe(time);
  if (time < kMinutes) return fmt::format("about {} s", whole.count());
  constexpr std::int64_t kSixty = 60;
  if (time < kHours) return fmt::format("about {} min", (whole.count() + kSixty / 2) / kSixty);
  return fmt::format("about {} h", (whole.count() + kSixty * kSixty / 2) / (kSixty * kSixty));
}

/// "1 probe", "2 probes"
std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

bool is_on(const std::optional<nanoseconds>& time) { return time && time->count() > 0; }

/// Looks at one socket.
class Rules {
public:
  Rules(const SocketFacts& facts, const TimeoutOptions& settings, const KernelSettings& kernel)
      : facts_(facts), settings_(settings), kernel_(kernel) {}

  WaitEnd client() const {
    return {.kind = WaitEndKind::client,
            .text = facts_.unread > 0 ? fmt::format("Waiting for accept(2): {}.",
                                                    counted(facts_.unread, "connection"))
                                      : "It listens. The wait ends when a client connects."};
  }

  WaitEnd handshake() const {
    const bool by_user = is_on(settings_.user_timeout);
    const int retries =
        settings_.syn_retries.value_or(0) > 0 ? *settings_.syn_retries : kernel_.syn_retries;
    WaitEnd end{.kind = WaitEndKind::syn, .scenario = "connect-time-limits"};
    end.within = until_connecting_given_up(now(), retries, kernel_.syn_linear_timeouts,
                                           settings_.user_timeout);
    const bool is_sooner =
        by_user &&
        *end.within < until_connecting_given_up(now(), retries, kernel_.syn_linear_timeouts, {});
    if (is_sooner) end.kind = WaitEndKind::user_timeout;
    const std::string why = is_sooner ? user_timeout()
                            : settings_.syn_retries.value_or(0) > 0
                                ? fmt::format("TCP_SYNCNT = {}", retries)
                                : sysctl("tcp_syn_retries", retries);
    end.text = fmt::format(
        "The peer has not answered the SYN, which was sent {}. If no answer comes, ETIMEDOUT in {} "
        "({}).",
        counted(facts_.retransmissions + 1, "time"), about(*end.within), why);
    return end;
  }

  /// The peer has not acknowledged what was sent.
  WaitEnd retransmissions() const {
    const bool by_user = is_on(settings_.user_timeout);
    WaitEnd end{.kind = by_user ? WaitEndKind::user_timeout : WaitEndKind::retransmissions,
                .scenario = by_user ? "user-timeout" : "power-off"};
    end.within = until_given_up(now(), kernel_.retries2, settings_.user_timeout);
    const std::string sent =
        facts_.retransmissions == 0
            ? fmt::format("Not acknowledged yet: {}.", what_is_sent())
            : fmt::format("Not acknowledged, and retransmitted {} in a row: {}.",
                          counted(facts_.retransmissions, "time"), what_is_sent());
    end.text =
        fmt::format("{} If the peer stays silent, ETIMEDOUT in {} ({}).", sent, about(*end.within),
                    by_user ? user_timeout() : sysctl("tcp_retries2", kernel_.retries2));
    if (!settings_.user_timeout)
      end.text += " A TCP_USER_TIMEOUT, which ss does not show, may end it before.";
    if (!by_user) end.advice = "TCP_USER_TIMEOUT makes that shorter.";
    return end;
  }

  WaitEnd window() const {
    WaitEnd end{.kind = WaitEndKind::window, .scenario = "zero-window"};
    end.text = fmt::format(
        "The peer's window is closed: its receive buffer is full. Most often, its program does not "
        "read, or reads slowly; a proxy on the way, or a lack of memory, leaves the same. Waiting "
        "to "
        "be sent: {}.",
        octets(facts_.unacknowledged));
    if (facts_.probes > 0)
      end.text += fmt::format(" Without an answer yet: {}.", counted(facts_.probes, "probe"));
    if (is_on(settings_.user_timeout)) {
      end.text += " " + user_timeout() + " ends it, if the window stays closed.";
      return end;
    }
    end.text += fmt::format(
        " While the peer's kernel answers the probes, no timer of TCP ends the wait. Without "
        "answers, "
        "ETIMEDOUT comes after {} ({}).",
        counted(static_cast<std::uint64_t>(kernel_.retries2), "probe"),
        sysctl("tcp_retries2", kernel_.retries2));
    end.may_last_for_ever = true;
    end.advice = "TCP_USER_TIMEOUT, or SO_SNDTIMEO for a call that blocks, bounds such a wait.";
    return end;
  }

  WaitEnd keepalive() const {
    const nanoseconds idle = settings_.idle.value_or(seconds(7200));
    const nanoseconds interval = settings_.interval.value_or(seconds(75));
    const int count = settings_.probes.value_or(9);
    const nanoseconds next_probe = until_probe(idle, interval);
    WaitEnd end{.kind = WaitEndKind::keepalive, .scenario = "keepalive-per-socket"};
    nanoseconds within = next_probe;
    const int left = std::max(count - static_cast<int>(facts_.probes), 0);
    if (!is_on(settings_.user_timeout)) within += interval * left;
    end.text = "Everything is acknowledged.";
    if (facts_.probes > 0)
      end.text += fmt::format(" Without an answer: {}.", counted(facts_.probes, "keepalive probe"));
    else if (settings_.idle)
      end.text += fmt::format(" Keepalive sends a probe in {}.", about(next_probe));
    else
      end.text += fmt::format(
          " The timer of keepalive expires in {}; it then sends a probe, unless it has heard from "
          "the "
          "peer since it was set.",
          about(next_probe));
    if (is_on(settings_.user_timeout)) {
      end.text += " Without an answer, " + user_timeout() + " ends the connection with ETIMEDOUT.";
    } else if (settings_.idle) {
      end.within = within;
      end.text += fmt::format(" Without an answer, ETIMEDOUT in {} (keepalive {}/{}/{}).",
                              about(within), seconds_of(idle), seconds_of(interval), count);
    } else {
      end.text +=
          " Without answers, ETIMEDOUT comes; ss does not show after how many (TCP_KEEPCNT).";
    }
    end.text += " If the peer's kernel answers, nothing of TCP ends the wait.";
    end.advice = kBoundByProgram;
    return end;
  }

  WaitEnd peer() const {
    return {.kind = WaitEndKind::peer,
            .text =
                "Everything is acknowledged, and keepalive is off: no timer of TCP ends this "
                "wait. Only the peer does, with data, FIN or RST. If it has lost its power, or "
                "a firewall has forgotten the connection, nothing does.",
            .advice = kBound,
            .scenario = "what-a-reader-notices",
            .may_last_for_ever = true};
  }

  WaitEnd unread() const {
    return {
        .kind = WaitEndKind::program,
        .text = fmt::format("Received, and not read by the program: {}.", octets(facts_.unread))};
  }

  /// In CLOSE, a socket may also never have been connected.
  WaitEnd not_connected() const {
    return {.kind = WaitEndKind::program,
            .text = "It is not connected: it never was, or its connection has ended."};
  }

  WaitEnd after_fin() const {
    if (facts_.state != TcpState::close_wait)
      return {
          .kind = WaitEndKind::program,
          .text =
              "Both ends have sent FIN: a read returns 0 at once. The peer has not acknowledged "
              "ours."};
    return {
        .kind = WaitEndKind::program,
        .text =
            "The peer has closed its direction (FIN): a read returns 0 at once. The program has "
            "not closed its own.",
        .advice = "Close the connection when a read returns 0.",
        .scenario = "shutdown-then-write"};
  }

  /// The kernel alone has the connection.
  WaitEnd by_kernel() const {
    const std::string when =
        facts_.until_timer && facts_.has_state_timer ? " in " + about(*facts_.until_timer) : "";
    if (facts_.state == TcpState::syn_recv)
      return {.kind = WaitEndKind::kernel,
              .text =
                  "The client has not acknowledged the SYN,ACK. Without an answer, the kernel "
                  "gives it up (tcp_synack_retries)."};
    if (facts_.state == TcpState::time_wait)
      return {.kind = WaitEndKind::kernel,
              .text = "No process has it. The kernel ends TIME_WAIT" + when + "."};
    return {.kind = WaitEndKind::kernel,
            .text = "No process has it any more. The kernel ends it" + when +
                    ": by tcp_fin_timeout in FIN_WAIT2, else after tcp_orphan_retries."};
  }

  /// Data waits in this host, and nothing is under way.
  WaitEnd unsent() const {
    return {
        .kind = WaitEndKind::peer,
        .text = fmt::format("Not sent yet, with nothing under way: {}. TCP_CORK or MSG_MORE, a "
                            "small window of the peer, and a full queue of this host leave that.",
                            octets(facts_.unacknowledged)),
        .may_last_for_ever = true};
  }

private:
  /// The FIN counts as one octet (RFC 9293 section 3.4).
  std::string what_is_sent() const {
    const bool has_fin = facts_.state == TcpState::fin_wait1 || facts_.state == TcpState::closing ||
                         facts_.state == TcpState::last_ack;
    if (!has_fin) return octets(facts_.unacknowledged);
    return facts_.unacknowledged > 1 ? octets(facts_.unacknowledged - 1) + " and the FIN"
                                     : "the FIN";
  }
  static std::string octets(std::uint64_t count) { return counted(count, "octet"); }
  static std::int64_t seconds_of(nanoseconds time) {
    return std::chrono::duration_cast<seconds>(time).count();
  }
  std::string user_timeout() const {
    return "TCP_USER_TIMEOUT of " + base::describe(*settings_.user_timeout);
  }
  std::string sysctl(const char* name, int value) const {
    return fmt::format("{} = {}{}", name, value, kernel_.are_assumed ? ", assumed" : "");
  }

  Retransmitting now() const {
    nanoseconds until = facts_.rto;
    if (facts_.until_timer && !facts_.has_keepalive_timer)
      until = *facts_.until_timer;
    else if (facts_.since_sent)
      until = std::max(facts_.rto - *facts_.since_sent, nanoseconds{});
    return {facts_.rto, facts_.retransmissions, until};
  }

  nanoseconds until_probe(nanoseconds idle, nanoseconds interval) const {
    if (facts_.until_timer) return *facts_.until_timer;
    const nanoseconds heard = facts_.since_heard.value_or(nanoseconds{});
    const nanoseconds due = idle + interval * static_cast<int>(facts_.probes);
    return std::max(due - heard, nanoseconds{});
  }

  const SocketFacts& facts_;
  const TimeoutOptions& settings_;
  const KernelSettings& kernel_;
};

bool is_of_kernel(const SocketFacts& facts) {
  return facts.is_orphan || facts.has_state_timer || facts.state == TcpState::syn_recv ||
         facts.state == TcpState::time_wait;
}

}  // namespace

WaitEnd end_of_wait(const SocketFacts& facts, const TimeoutOptions& settings,
                    const KernelSettings& kernel, Awaited awaited) {
  const Rules rules(facts, settings, kernel);
  if (facts.state == TcpState::listen) return rules.client();
  if (facts.state == TcpState::syn_sent) return rules.handshake();
  if (facts.state == TcpState::close || facts.state == TcpState::closed)
    return rules.not_connected();
  if (is_of_kernel(facts)) return rules.by_kernel();
  const bool reads = awaited == Awaited::data || awaited == Awaited::any;
  if (reads && facts.unread > 0) return rules.unread();
  const bool peer_has_closed = facts.state == TcpState::close_wait ||
                               facts.state == TcpState::last_ack ||
                               facts.state == TcpState::closing;
  if (reads && peer_has_closed) return rules.after_fin();
  const bool has_closed_window =
      facts.has_window_timer ||
      (facts.peer_window == 0U && facts.in_flight == 0 && facts.unacknowledged > 0);
  if (has_closed_window) return rules.window();
  if (facts.in_flight > 0 || facts.retransmissions > 0) return rules.retransmissions();
  if (facts.unacknowledged > 0) return rules.unsent();
  if (settings.keepalive.value_or(facts.has_keepalive_timer)) return rules.keepalive();
  return rules.peer();
}

}  // namespace tcplab::audit
