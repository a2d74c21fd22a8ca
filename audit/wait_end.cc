#include "audit/wait_end.hh"

#include <algorithm>

namespace tcplab::audit {

namespace {

using base::nanoseconds;
using capture::TcpState;
using std::chrono::seconds;

Retransmitting standing_of(const SocketFacts& facts) {
  nanoseconds until = facts.rto;
  if (facts.until_timer && !facts.has_keepalive_timer)
    until = *facts.until_timer;
  else if (facts.since_sent)
    until = std::max(facts.rto - *facts.since_sent, nanoseconds{});
  return {facts.rto, facts.retransmissions, until};
}

WaitEnd handshake(const SocketFacts& facts, const TimeoutOptions& settings,
                  const KernelSettings& kernel) {
  const int retries =
      settings.syn_retries.value_or(0) > 0 ? *settings.syn_retries : kernel.syn_retries;
  const Retransmitting now = standing_of(facts);
  const nanoseconds by_retries = until_connecting_given_up(now, retries, kernel, {});
  const nanoseconds within = until_connecting_given_up(now, retries, kernel, settings.user_timeout);
  const bool is_sooner = has_user_timeout(settings) && within < by_retries;
  return {.kind = is_sooner ? WaitEndKind::user_timeout : WaitEndKind::syn, .within = within};
}

WaitEnd retransmissions(const SocketFacts& facts, const TimeoutOptions& settings,
                        const KernelSettings& kernel) {
  return {
      .kind = has_user_timeout(settings) ? WaitEndKind::user_timeout : WaitEndKind::retransmissions,
      .within = until_given_up(standing_of(facts), kernel, settings.user_timeout)};
}

WaitEnd keepalive(const SocketFacts& facts, const TimeoutOptions& settings) {
  WaitEnd end{.kind = WaitEndKind::keepalive};
  if (!settings.idle || !settings.interval || !settings.probes) {
    end.next_probe = facts.until_timer;
    return end;
  }
  const nanoseconds heard = facts.since_heard.value_or(nanoseconds{});
  const nanoseconds due = *settings.idle + *settings.interval * static_cast<int>(facts.probes);
  end.next_probe = std::max(due - heard, nanoseconds{});
  if (has_user_timeout(settings)) return end;
  const int left = std::max(*settings.probes - static_cast<int>(facts.probes), 0);
  end.within = *end.next_probe + *settings.interval * left;
  return end;
}

bool is_of_kernel(const SocketFacts& facts) {
  return facts.is_orphan || facts.has_state_timer || facts.state == TcpState::syn_recv ||
         facts.state == TcpState::time_wait;
}

bool has_closed_window(const SocketFacts& facts) {
  return facts.has_window_timer ||
         (facts.peer_window == 0U && facts.in_flight == 0 && facts.unacknowledged > 0);
}

/// What makes a read return at once; empty if nothing does.
std::optional<WaitEndKind> readable(const SocketFacts& facts) {
  if (facts.unread > 0) return WaitEndKind::unread;
  if (facts.state == TcpState::close_wait) return WaitEndKind::peer_closed;
  if (facts.state == TcpState::last_ack || facts.state == TcpState::closing)
    return WaitEndKind::both_closed;
  return std::nullopt;
}

}  // namespace

bool has_user_timeout(const TimeoutOptions& settings) {
  return settings.user_timeout && settings.user_timeout->count() > 0;
}

WaitEnd end_of_wait(const SocketFacts& facts, const TimeoutOptions& settings,
                    const KernelSettings& kernel, Awaited awaited) {
  if (facts.state == TcpState::listen) return {.kind = WaitEndKind::client};
  if (facts.state == TcpState::syn_sent) return handshake(facts, settings, kernel);
  if (facts.state == TcpState::close || facts.state == TcpState::closed)
    return {.kind = WaitEndKind::not_connected};
  if (is_of_kernel(facts)) return {.kind = WaitEndKind::kernel};
  const bool reads = awaited == Awaited::data || awaited == Awaited::any;
  if (const auto kind = readable(facts); reads && kind) return {.kind = *kind};
  if (has_closed_window(facts))
    return {.kind = WaitEndKind::window, .may_last_for_ever = !has_user_timeout(settings)};
  if (facts.in_flight > 0 || facts.retransmissions > 0)
    return retransmissions(facts, settings, kernel);
  if (facts.unacknowledged > 0) return {.kind = WaitEndKind::unsent, .may_last_for_ever = true};
  if (settings.keepalive.value_or(facts.has_keepalive_timer)) return keepalive(facts, settings);
  return {.kind = WaitEndKind::peer, .may_last_for_ever = true};
}

}  // namespace tcplab::audit
