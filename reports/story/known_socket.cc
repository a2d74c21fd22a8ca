#include "reports/story/known_socket.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

using capture::Packet;
using capture::TcpState;

bool has(const Packet& packet, char flag) { return packet.flags.find(flag) != std::string::npos; }

/// Compares sequence numbers modulo 2^32 (RFC 9293 section 3.4).
bool is_before(std::uint32_t one, std::uint32_t other) { return std::int32_t(one - other) < 0; }

std::string count(std::uint32_t number, const std::string& thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace

void KnownSocket::changes(const capture::State& state) {
  const bool begins = !lives() && state.to != TcpState::closed;
  state_ = state.to;
  lost_with_power_ = state.cause == capture::StateCause::power && state.to == TcpState::closed;
  has_been_ = true;
  if (begins) was_reset_ = false;
}

void KnownSocket::sends(const Packet& packet) {
  if (in_the_air_.erase(packet.frame) != 0) return;
  if (!packet.delivered && packet.fate != capture::Fate::lost) in_the_air_.insert(packet.frame);
  if (has(packet, 'R')) return;
  const std::uint32_t controls = (has(packet, 'S') ? 1U : 0U) + (has(packet, 'F') ? 1U : 0U);
  const std::uint32_t end = packet.sequence + packet.length + controls;
  const bool is_first_syn = has(packet, 'S') && !(knows_sequence_ && packet.sequence + 1 == next_);
  if (is_first_syn || !knows_sequence_) {
    knows_sequence_ = true;
    unacknowledged_ = next_ = packet.sequence;
    controls_ = 0;
    repetitions_ = 0;
  }
  if (end == packet.sequence) return;
  if (is_before(next_, end)) {
    next_ = end;
    controls_ += controls;
  } else {
    ++repetitions_;
  }
}

void KnownSocket::receives(const Packet& packet) {
  if (has(packet, 'R')) was_reset_ = true;
  if (!has(packet, '.') || !knows_sequence_) return;
  const bool is_news = is_before(unacknowledged_, packet.acknowledgment);
  if (!is_news || is_before(next_, packet.acknowledgment)) return;
  unacknowledged_ = packet.acknowledgment;
  repetitions_ = 0;
  // A SYN is acknowledged first, so a remaining control is the FIN.
  if (unacknowledged_ == next_ || controls_ > 1) controls_ = unacknowledged_ == next_ ? 0 : 1;
  if (controls_ == 1 && state_ == TcpState::syn_sent) controls_ = 0;
}

std::string KnownSocket::burden() const {
  const std::uint32_t all = knows_sequence_ ? next_ - unacknowledged_ : 0;
  if (all == 0) return "";
  const bool opens = state_ == TcpState::syn_sent || state_ == TcpState::syn_recv;
  const std::uint32_t controls = std::min(controls_, all);
  std::string text;
  if (all > controls) text = count(all - controls, "byte");
  if (controls != 0) text += std::string(text.empty() ? "" : " and ") + (opens ? "SYN" : "FIN");
  text = ", " + text + " unacknowledged";
  if (repetitions_ != 0) text += ", retransmitted " + count(unsigned(repetitions_), "time");
  return text;
}

std::string KnownSocket::describe(const HostNames& names) const {
  const std::string peer = names.name(remote_);
  if (listens()) return fmt::format("listening on port {}", local_.port);
  if (lives()) return fmt::format("{} with {}{}", capture::name(state_), peer, burden());
  if (was_reset_) return "no connection: it was reset by " + peer;
  return "the connection with " + peer + " is closed";
}

}  // namespace tcplab::reports
