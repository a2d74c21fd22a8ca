#include "reports/look/wait_words.hh"

#include <fmt/format.h>

#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using audit::WaitEndKind;
using base::nanoseconds;
using capture::TcpState;
using std::chrono::seconds;

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

std::int64_t whole_seconds(nanoseconds time) {
  return std::chrono::duration_cast<seconds>(time).count();
}

bool has_sent_fin(const audit::SocketFacts& facts) {
  return facts.state == TcpState::fin_wait1 || facts.state == TcpState::closing ||
         facts.state == TcpState::last_ack;
}

/// The words for one connection.
class WaitWords {
public:
  WaitWords(const look::LookedConnection& connection, const audit::KernelSettings& kernel,
            const audit::WaitEnd& end)
      : facts_(connection.facts), settings_(connection.settings), kernel_(kernel), end_(end) {}

  std::string text() const {
    switch (end_.kind) {
      case WaitEndKind::not_connected:
        return "It is not connected: it never was, or its connection has ended.";
      case WaitEndKind::unread:
        return fmt::format("Received, and not read by the program: {}.", octets(facts_.unread));
      case WaitEndKind::peer_closed:
        return "The peer has closed its direction (FIN): a read returns 0 at once. The program has "
               "not closed its own.";
      case WaitEndKind::both_closed:
        return "Both ends have sent FIN: a read returns 0 at once. The peer has not acknowledged "
               "ours.";
      case WaitEndKind::kernel:
        return of_kernel();
      case WaitEndKind::syn:
      case WaitEndKind::retransmissions:
      case WaitEndKind::user_timeout:
        return facts_.state == TcpState::syn_sent ? of_syn() : of_retransmissions();
      case WaitEndKind::keepalive:
        return of_keepalive();
      case WaitEndKind::window:
        return of_window();
      case WaitEndKind::unsent:
        return fmt::format(
            "Not sent yet, with nothing under way: {}. TCP_CORK or MSG_MORE, a small window of the "
            "peer, and a full queue of this host leave that.",
            octets(facts_.unacknowledged));
      case WaitEndKind::peer:
        return "Everything is acknowledged, and keepalive is off: no timer of TCP ends this wait. "
               "The peer does, with data, FIN or RST. If it has lost its power, or a firewall has "
               "forgotten the connection, only the program itself can: another thread, or a "
               "signal.";
      case WaitEndKind::client:
        return facts_.unread > 0
                   ? fmt::format("Waiting for accept(2): {}.", counted(facts_.unread, "connection"))
                   : "It listens. The wait ends when a client connects.";
    }
    return "";
  }

private:
  /// The kernel alone has the connection.
  std::string of_kernel() const {
    const std::string when =
        facts_.until_timer && facts_.has_state_timer ? " in " + about(*facts_.until_timer) : "";
    if (facts_.state == TcpState::syn_recv)
      return "The client has not acknowledged the SYN,ACK. Without an answer, the kernel gives it "
             "up "
             "(tcp_synack_retries).";
    if (facts_.state == TcpState::time_wait)
      return "No process has it. The kernel ends TIME_WAIT" + when + ".";
    return "No process has it any more. The kernel ends it" + when +
           ": by tcp_fin_timeout in FIN_WAIT2, else after tcp_orphan_retries.";
  }

  std::string of_syn() const {
    return fmt::format(
        "The peer has not answered the SYN, which was sent {}. If no answer comes, ETIMEDOUT in {} "
        "({}).",
        counted(facts_.retransmissions + 1, "time"), about(*end_.within), limit_of_syn());
  }

  /// Where the program has not set TCP_SYNCNT, getsockopt(2) returns the sysctl's value.
  std::string limit_of_syn() const {
    if (end_.kind == WaitEndKind::user_timeout) return user_timeout();
    const int retries = settings_.syn_retries.value_or(0);
    if (retries <= 0 || retries == kernel_.syn_retries)
      return sysctl("tcp_syn_retries", kernel_.syn_retries);
    return fmt::format(
        "{} = {}", kernel_.are_assumed ? "TCP_SYNCNT or tcp_syn_retries" : "TCP_SYNCNT", retries);
  }

  std::string of_retransmissions() const {
    const std::string sent =
        facts_.retransmissions == 0
            ? fmt::format("Not acknowledged yet: {}.", what_is_sent())
            : fmt::format("Not acknowledged, and retransmitted {} in a row: {}.",
                          counted(facts_.retransmissions, "time"), what_is_sent());
    const std::string limit = end_.kind == WaitEndKind::user_timeout
                                  ? user_timeout()
                                  : sysctl("tcp_retries2", kernel_.retries2);
    return fmt::format(
        "{} If the peer stays silent, ETIMEDOUT in {} ({}).{}", sent, about(*end_.within), limit,
        settings_.user_timeout ? ""
                               : " A TCP_USER_TIMEOUT, which ss does not show, may end it before.");
  }

  std::string of_window() const {
    std::string text = fmt::format(
        "The peer's window is closed: its receive buffer is full. Most often, its program does not "
        "read, or reads slowly; a proxy on the way, or a lack of memory, leaves the same. Waiting "
        "to "
        "be sent: {}.",
        octets(facts_.unacknowledged));
    if (facts_.probes > 0)
      text += fmt::format(" Without an answer yet: {}.", counted(facts_.probes, "probe"));
    if (audit::has_user_timeout(settings_))
      return text + " " + user_timeout() + " ends it, if the window stays closed.";
    return text + fmt::format(
                      " While the peer's kernel answers the probes, no timer of TCP ends the "
                      "wait. Without answers, ETIMEDOUT comes after {} ({}).",
                      counted(static_cast<std::uint64_t>(kernel_.retries2), "probe"),
                      sysctl("tcp_retries2", kernel_.retries2));
  }

  std::string of_keepalive() const {
    std::string text = "Everything is acknowledged.";
    if (facts_.probes > 0)
      text += fmt::format(" Without an answer: {}.", counted(facts_.probes, "keepalive probe"));
    else if (settings_.idle && end_.next_probe)
      text += fmt::format(" Keepalive sends a probe in {}.", about(*end_.next_probe));
    else if (end_.next_probe)
      text += fmt::format(
          " The timer of keepalive expires in {}; it then sends a probe, unless it has heard from "
          "the "
          "peer since it was set.",
          about(*end_.next_probe));
    if (audit::has_user_timeout(settings_))
      text += " Without an answer, " + user_timeout() + " ends the connection with ETIMEDOUT.";
    else if (end_.within)
      text += fmt::format(" Without an answer, ETIMEDOUT in {} (keepalive {}/{}/{}).",
                          about(*end_.within), whole_seconds(*settings_.idle),
                          whole_seconds(*settings_.interval), *settings_.probes);
    else
      text += " Without answers, ETIMEDOUT comes; ss does not show after how many (TCP_KEEPCNT).";
    return text + " If the peer's kernel answers, nothing of TCP ends the wait.";
  }

  std::string what_is_sent() const {
    const std::uint64_t count = unacknowledged_octets(facts_);
    if (!has_sent_fin(facts_)) return octets(count);
    return count > 0 ? octets(count) + " and the FIN" : "the FIN";
  }
  static std::string octets(std::uint64_t count) { return counted(count, "octet"); }
  std::string user_timeout() const {
    return "TCP_USER_TIMEOUT of " + base::describe(*settings_.user_timeout);
  }
  std::string sysctl(const char* name, int value) const {
    return fmt::format("{} = {}{}", name, value, kernel_.are_assumed ? ", assumed" : "");
  }

  const audit::SocketFacts& facts_;
  const audit::TimeoutOptions& settings_;
  const audit::KernelSettings& kernel_;
  const audit::WaitEnd& end_;
};

}  // namespace

std::string wait_words(const look::LookedConnection& connection,
                       const audit::KernelSettings& kernel, const audit::WaitEnd& end) {
  return WaitWords(connection, kernel, end).text();
}

std::string own_end_words(const look::LookedWait& wait) {
  if (wait.task != nullptr) return deadline_words(*wait.task);
  if (wait.thread == nullptr || !wait.thread->own_timeout) return "";
  return fmt::format("The call itself ends {} after it began, at the latest ({}).",
                     base::describe(*wait.thread->own_timeout), wait.thread->own_timeout_name);
}

std::string deadline_words(const look::LookedTask& task) {
  if (!task.has_deadline && task.other_timer) {
    const std::string timers = "The program has timers, and one of them may end the wait.";
    return task.other_timer->count() == 0
               ? timers
               : fmt::format("{} The next is due in {}.", timers, about(*task.other_timer));
  }
  if (!task.has_deadline) return "";
  if (!task.deadline)
    return fmt::format(
        "A deadline of the program ends the wait ({}). When is not known: the process has a clock "
        "of its own (time_namespaces(7)).",
        task.deadline_setter);
  return fmt::format("A deadline of the program ends the wait in {}, whatever TCP does ({}).",
                     about(*task.deadline), task.deadline_setter);
}

std::string_view wait_advice(const audit::WaitEnd& end) {
  switch (end.kind) {
    case WaitEndKind::peer:
      return "To bound such a wait, give each answer a timeout in the program, or set keepalive "
             "(SO_KEEPALIVE, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT) and TCP_USER_TIMEOUT.";
    case WaitEndKind::keepalive:
      return "To bound such a wait, give each answer a timeout in the program: the peer's kernel "
             "answers for a program that is stuck.";
    case WaitEndKind::retransmissions:
      return "TCP_USER_TIMEOUT makes that shorter.";
    case WaitEndKind::window:
      return end.may_last_for_ever
                 ? "TCP_USER_TIMEOUT, or SO_SNDTIMEO for a call that blocks, bounds "
                   "such a wait."
                 : "";
    case WaitEndKind::peer_closed:
      return "Close the connection when a read returns 0.";
    default:
      return "";
  }
}

std::string_view wait_scenario(const audit::WaitEnd& end) {
  switch (end.kind) {
    case WaitEndKind::peer:
      return "what-a-reader-notices";
    case WaitEndKind::keepalive:
      return "keepalive-per-socket";
    case WaitEndKind::retransmissions:
      return "power-off";
    case WaitEndKind::user_timeout:
      return "user-timeout";
    case WaitEndKind::syn:
      return "connect-time-limits";
    case WaitEndKind::window:
      return "zero-window";
    case WaitEndKind::peer_closed:
      return "shutdown-then-write";
    default:
      return "";
  }
}

std::uint64_t unacknowledged_octets(const audit::SocketFacts& facts) {
  const bool has_control = has_sent_fin(facts) || facts.state == TcpState::syn_sent;
  return facts.unacknowledged > 0 && has_control ? facts.unacknowledged - 1 : facts.unacknowledged;
}

}  // namespace tcplab::reports
