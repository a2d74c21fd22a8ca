#include "reports/likeness.hh"

#include <array>

namespace tcplab::reports {

using capture::Conversation;
using capture::ResetKind;
using capture::SegmentKind;
using capture::TcpState;

namespace {

constexpr std::uint64_t kSilence = 2;  // retransmissions that nobody answered

bool ended_in(const Conversation& talk, TcpState one, TcpState other) {
  return (talk.end(0).state == one && talk.end(1).state == other) ||
         (talk.end(0).state == other && talk.end(1).state == one);
}

bool has_unanswered(const Conversation& talk, std::uint64_t least) {
  return talk.end(0).unanswered >= least || talk.end(1).unanswered >= least;
}

bool is_silent(const Conversation& talk) {
  return talk.was_established() && talk.reset() == ResetKind::none &&
         has_unanswered(talk, kSilence) && talk.end(0).keepalive_probes == 0 &&
         talk.end(1).keepalive_probes == 0;
}

bool has_no_answer_to_syn(const Conversation& talk) {
  return talk.end(0).state == TcpState::syn_sent && talk.end(1).segments == 0 &&
         talk.end(0).retransmissions > 0;
}

bool resets_half_open(const Conversation& talk) {
  return talk.reset() == ResetKind::no_connection && !talk.end(0).sent_fin && !talk.end(1).sent_fin;
}

bool answers_probe(const Conversation& talk) {
  return resets_half_open(talk) && talk.reset_after() == SegmentKind::keepalive_probe;
}

bool resets_close_wait(const Conversation& talk) {
  const bool by_absent =
      talk.reset() == ResetKind::no_connection || talk.reset() == ResetKind::after_close;
  return by_absent && talk.reset_in(1 - talk.reset_by()) == TcpState::close_wait;
}

bool resets_orphan(const Conversation& talk) {
  return talk.reset() == ResetKind::after_close && talk.reset_after_data();
}

bool gave_up_probing(const Conversation& talk) {
  return talk.reset() == ResetKind::gave_up && talk.end(talk.reset_by()).keepalive_probes > 0;
}

bool is_abort(const Conversation& talk) { return talk.reset() == ResetKind::abort; }

bool stands_still(const Conversation& talk) {
  const auto& one = talk.end(0);
  const auto& other = talk.end(1);
  return (one.zero_windows > 0 && other.keepalive_probes > 0) ||
         (other.zero_windows > 0 && one.keepalive_probes > 0);
}

bool closed_at_once(const Conversation& talk) {
  return ended_in(talk, TcpState::time_wait, TcpState::time_wait) ||
         ended_in(talk, TcpState::closing, TcpState::time_wait);
}

bool stays_half_closed(const Conversation& talk) {
  return ended_in(talk, TcpState::fin_wait2, TcpState::close_wait);
}

bool closed_in_order(const Conversation& talk) {
  return ended_in(talk, TcpState::time_wait, TcpState::closed) && talk.reset() == ResetKind::none;
}

struct Rule {
  bool (*holds)(const Conversation&);
  const char* scenario;
  const char* because;
};

// The first that hold win: what is special stands before what is ordinary.
constexpr std::array kRules = {
    Rule{[](const Conversation& talk) { return talk.reset() == ResetKind::refused; },
         "nobody-listens", "a SYN was answered with a RST"},
    Rule{has_no_answer_to_syn, "black-hole", "SYNs, and nobody answered"},
    Rule{answers_probe, "keepalive-finds-power-cycle",
         "a keepalive probe was answered with a RST: that kernel had no such connection"},
    Rule{resets_half_open, "power-cycle",
         "a segment of an established connection was answered with a RST without ACK, and no FIN "
         "was seen before: that kernel had no such connection"},
    Rule{resets_close_wait, "broken-without-failure",
         "one end wrote long after the other's FIN, and was reset in CLOSE_WAIT"},
    Rule{resets_orphan, "write-to-orphan", "data came to a connection that its program had closed"},
    Rule{stands_still, "zero-window", "a window of zero was probed again and again"},
    Rule{gave_up_probing, "keepalive-finds-power-off",
         "keepalive probes stayed unanswered, and then the prober reset"},
    Rule{is_abort, "close-with-unread-data",
         "a live end sent RST, ACK: it closed with data unread, or aborted"},
    Rule{is_abort, "linger-zero", "that is also how SO_LINGER with zero seconds closes"},
    Rule{is_silent, "power-off", "data was retransmitted, and nobody answered any more"},
    Rule{closed_at_once, "simultaneous-close", "the two FINs crossed"},
    Rule{stays_half_closed, "broken-without-failure",
         "one end has closed, the other has not, and the capture ends so"},
    Rule{closed_in_order, "warmup", "both closed, one after the other"},
};

}  // namespace

std::vector<Likeness> likenesses(const Conversation& talk) {
  constexpr std::size_t kMost = 2;
  std::vector<Likeness> found;
  for (const Rule& rule : kRules)
    if (found.size() < kMost && rule.holds(talk)) found.push_back({rule.scenario, rule.because});
  return found;
}

}  // namespace tcplab::reports
