// Rules for data: loss, silence, sizes, order, windows, ICMP errors.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Attempt;
using capture::IcmpError;
using capture::TcpState;

namespace {

constexpr std::size_t kLarge = 1000;         // octets: more than any path must carry unfragmented
constexpr std::uint32_t kSmallestMtu = 552;  // Linux: net.ipv4.route.min_pmtu

/// Returns a router's error; one in the peer's name is not from the path.
const IcmpError* error_of(const Evidence& seen, IcmpError::Kind kind) {
  for (const IcmpError& error : seen.own().icmp)
    if (error.kind == kind && !error.is_from_peer) return &error;
  return nullptr;
}

bool learns_tiny_mtu(const Evidence& seen) {
  const IcmpError* error = error_of(seen, IcmpError::Kind::too_big);
  return error != nullptr && error->mtu < kSmallestMtu && error->from.family == base::Family::ipv4;
}

bool learns_mtu(const Evidence& seen) {
  return error_of(seen, IcmpError::Kind::too_big) != nullptr;
}

std::string words_of_mtu(const Evidence& seen) {
  const IcmpError* error = error_of(seen, IcmpError::Kind::too_big);
  return fmt::format("{} told {} by ICMP that at most {} octets pass", error->from.to_string(),
                     seen.name(), error->mtu);
}

/// Retransmitted at full size at least twice, and no segment as large was ever acknowledged.
bool is_too_large(const Attempt& attempt, const Evidence& seen) {
  return attempt.length >= kLarge && attempt.full_size_retransmits >= 2 &&
         seen.own().largest_passed < attempt.length && !seen.others().window_is_closed;
}

bool probes_size(const Evidence& seen) {
  if (seen.own().recovered && seen.own().recovered->shortest < seen.own().recovered->length)
    return seen.own().recovered->length >= kLarge &&
           seen.own().recovered->full_size_retransmits >= 2;
  return is_too_large(seen.own().attempt, seen) &&
         seen.own().attempt.shortest < seen.own().attempt.length;
}

std::string words_of_size_probe(const Evidence& seen) {
  const bool is_recovered = seen.own().recovered && seen.own().attempt.length == 0;
  const Attempt& attempt = is_recovered ? *seen.own().recovered : seen.own().attempt;
  return fmt::format(
      "{} sent a segment of {} octets {} without an acknowledgment, and then the same octets in "
      "smaller segments{}",
      seen.name(), attempt.length, times(attempt.full_size_retransmits + 1),
      is_recovered ? ", which were acknowledged" : "");
}

bool is_mtu_hole(const Evidence& seen) {
  return is_too_large(seen.own().attempt, seen) && seen.own().attempt.peer_spoke;
}

std::string words_of_mtu_hole(const Evidence& seen) {
  return fmt::format(
      "{} sent a segment of {} octets {}, and it was never acknowledged, while smaller ones were; "
      "no "
      "ICMP error said that it was too large",
      seen.name(), seen.own().attempt.length, times(seen.own().attempt.full_size_retransmits + 1));
}

/// At the receiver: a large segment never came, and a small one after it did.
bool lacks_large(const Evidence& seen) {
  return seen.talk.missing(seen.end).above >= kLarge && seen.self().retransmissions == 0 &&
         seen.own().largest_passed < kLarge && !seen.talk.only_direction() && !seen.is_reset();
}

std::string words_of_lacking(const Evidence& seen) {
  return fmt::format("{} of {} never arrived here, and smaller segments before and after them did",
                     counted(seen.talk.missing(seen.end).above, "octet"), seen.name());
}

bool may_be_mtu_hole(const Evidence& seen) {
  return is_too_large(seen.own().attempt, seen) && !seen.is_reset() && !seen.self().sent_fin &&
         seen.other().unanswered == 0;
}

std::string words_of_possible_hole(const Evidence& seen) {
  return fmt::format(
      "{} sent a segment of {} octets {}, and it was never acknowledged; {}", seen.name(),
      seen.own().attempt.length, times(seen.own().attempt.full_size_retransmits + 1),
      seen.own().largest_passed == 0
          ? "smaller segments passed in the handshake only"
          : fmt::format("the longest acknowledged one has {}", seen.own().largest_passed));
}

template <IcmpError::Kind kind>
bool has_error(const Evidence& seen) {
  return seen.talk.was_established() && error_of(seen, kind) != nullptr;
}

bool has_any_error(const Evidence& seen) {
  return seen.talk.was_established() && !seen.own().icmp.empty();
}

std::string words_of_error(const Evidence& seen) {
  return fmt::format("ICMP errors about segments of {} arrived from {} {}, in an open connection",
                     seen.name(), seen.own().icmp.front().from.to_string(),
                     times(seen.own().icmp_errors));
}

// tcp_thin_linear_timeouts: a timeout is not doubled, as long as little is under way.
bool is_linear(const Evidence& seen) {
  constexpr std::uint64_t kEnough = 5;
  const Attempt& attempt = seen.own().attempt;
  if (attempt.retransmits < kEnough) return false;
  const auto* const end =
      attempt.waits.begin() + std::min(attempt.retransmits, attempt.waits.size() - 1);
  const auto [least, most] = std::minmax_element(attempt.waits.begin() + 1, end);
  return *least > 0 && *most < *least * 5 / 4;
}

std::string words_of_linear(const Evidence& seen) {
  return fmt::format("{} sent the same octets {}, and waited equally long each time: {}",
                     seen.name(), times(seen.own().attempt.retransmits + 1),
                     duration(seen.own().attempt.waits[1]));
}

/// On a path that loses segments of both directions, some acknowledgments are lost, too.
bool loses_acks(const Evidence& seen) {
  const std::uint64_t all = seen.own().data_retransmits + seen.self().out_of_order;
  return seen.own().retransmits_after_ack >= 2 && 2 * seen.own().retransmits_after_ack > all;
}

std::string words_of_lost_acks(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted data ({}) that {} had acknowledged in this capture: the acknowledgments do "
      "not arrive",
      seen.name(), times(seen.own().retransmits_after_ack), seen.other_name());
}

bool is_silent(const Evidence& seen) {
  return seen.talk.was_established() && !seen.is_reset() && seen.own().attempt.retransmits >= 2 &&
         seen.self().unanswered >= 2 && seen.own().keepalives_waiting == 0 &&
         !seen.others().window_is_closed;
}

bool is_sought(const Evidence& seen) {
  return seen.talk.was_established() && !seen.is_reset() && seen.own().attempt.retransmits >= 1 &&
         seen.self().unanswered >= 1 && seen.facts.around.sought.at(1 - seen.end) > 0;
}

std::string words_of_data_unheard(const Evidence& seen) {
  return fmt::format("{} retransmitted its data {} without an answer", seen.name(),
                     times(seen.own().attempt.retransmits));
}

std::string words_of_seeking(const Evidence& seen) {
  return words_of_data_unheard(seen) +
         fmt::format("; ARP or ND requests for {} on its link were not answered",
                     seen.other().address.address.to_string());
}

bool is_dropped_on_the_way(const Evidence& seen) {
  return is_silent(seen) && seen.own().forwarded > 0 && seen.own().not_forwarded >= 2;
}

std::string words_of_drop(const Evidence& seen) {
  return words_of_data_unheard(seen) + "; a router forwarded its earlier segments, but not these";
}

bool dies_after_fin(const Evidence& seen) {
  return is_silent(seen) && seen.other().sent_fin && seen.self().state == TcpState::close_wait;
}

bool dies_before_fin(const Evidence& seen) {
  return is_silent(seen) && seen.self().sent_fin && !seen.other().sent_fin;
}

std::string words_of_death_after_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + "; the other end had sent its FIN before";
}

std::string words_of_death_before_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + ", and its FIN had none either";
}

bool probes_unheard(const Evidence& seen) {
  return seen.talk.was_established() && !seen.is_reset() && seen.own().keepalives_waiting >= 2 &&
         seen.self().unanswered >= 2 && !seen.talk.only_direction();
}

std::string words_of_probes_unheard(const Evidence& seen) {
  return fmt::format("{} sent {} without an answer{}", seen.name(),
                     counted(seen.own().keepalives_waiting, "keepalive probe"),
                     seen.other().segments > 0
                         ? ""
                         : "; if the capture has only this direction, these may be answers");
}

bool is_copied(const Evidence& seen) { return seen.own().copies > 0; }

std::string words_of_copy(const Evidence& seen) {
  return fmt::format(
      "the capture has a packet of {} more than once, identical: the path copied it; it is no "
      "retransmission",
      seen.name());
}

bool is_spurious(const Evidence& seen) {
  constexpr std::int64_t kTimeout = 100'000'000;  // a tail loss probe may come sooner
  return seen.own().spurious_retransmits > 0 && seen.own().recovered &&
         seen.own().recovered->last_at - seen.own().recovered->first_at > kTimeout;
}

std::string words_of_spurious(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted data, and {} reports that it had it already (D-SACK): the round trip is "
      "longer than the RTO",
      seen.name(), seen.other_name());
}

bool both_are_full(const Evidence& seen) {
  return seen.own().windows_closed > 0 && seen.others().windows_closed > 0;
}

std::string words_of_both(const Evidence&) { return "both ends announced a window of zero"; }

bool misses_opening(const Evidence& seen) {
  return seen.others().window_opened && seen.own().probes_after_opening > 0;
}

std::string words_of_missed_opening(const Evidence& seen) {
  return fmt::format("{} opened its window, and {} still probed: the window update was lost",
                     seen.other_name(), seen.name());
}

bool is_frozen(const Evidence& seen) {
  return seen.others().windows_closed > 0 && seen.own().keepalives_answered > 0;
}

std::string words_of_frozen(const Evidence& seen) {
  return fmt::format(
      "{}'s kernel answered keepalive probes, and its window closed: its program does not read",
      seen.other_name());
}

bool is_closed_window(const Evidence& seen) { return seen.others().windows_closed > 0; }

bool dies_with_closed_window(const Evidence& seen) {
  const bool was_probed = seen.others().window_is_closed && seen.own().window_probes > 0;
  return was_probed && seen.self().unanswered >= 2;
}

std::string words_of_unheard_window_probes(const Evidence& seen) {
  return fmt::format("{}'s window was zero, and the last {} probes had no answer: {}",
                     seen.other_name(), seen.self().unanswered,
                     "a living kernel answers them, even if its program hangs");
}

std::string words_of_window(const Evidence& seen) {
  return fmt::format("{} announced a window of zero{}{}", seen.other_name(),
                     seen.own().window_probes > 0
                         ? fmt::format(", and was probed {}", times(seen.own().window_probes))
                         : "",
                     seen.others().window_is_closed ? "" : "; later it opened the window");
}

bool is_reordered(const Evidence& seen) {
  return seen.own().holes_filled > 0 && seen.own().data_retransmits == 0 &&
         seen.self().out_of_order == 0 && seen.talk.missing(seen.end).below == 0;
}

std::string words_of_order(const Evidence& seen) {
  return fmt::format(
      "{} reported a hole (SACK), and it was filled without a retransmission of {}: segments "
      "overtook each other",
      seen.other_name(), seen.name());
}

bool is_recovered(const Evidence& seen) {
  return seen.own().recovered && seen.own().spurious_retransmits == 0 &&
         seen.own().fast_retransmits == 0;
}

bool recovers_late(const Evidence& seen) {
  return is_recovered(seen) && seen.own().recovered->retransmits >= 2;
}

bool loses_first(const Evidence& seen) {
  return is_recovered(seen) && seen.own().first_data_retransmitted &&
         seen.own().data_retransmits == 1;
}

bool loses_first_unheard(const Evidence& seen) {
  return loses_first(seen) && seen.own().first_data_unheard && seen.own().syns > 0;
}

std::string words_of_recovery(const Evidence& seen) {
  const Attempt& recovered = *seen.own().recovered;
  return fmt::format("{} retransmitted {} {}, the last time after {}, and it was acknowledged",
                     seen.name(), seen.own().first_data_retransmitted ? "its first data" : "data",
                     times(recovered.retransmits),
                     duration(recovered.last_at - recovered.first_at));
}

bool is_lossy(const Evidence& seen) {
  constexpr std::uint64_t kSeveral = 3;
  return seen.own().data_retransmits + seen.self().out_of_order >= kSeveral &&
         seen.own().fast_retransmits + seen.self().out_of_order > 0;
}

std::string words_of_loss(const Evidence& seen) {
  const std::uint64_t again = seen.own().data_retransmits + seen.self().out_of_order;
  const std::uint64_t sent = seen.self().data_frames + seen.own().data_retransmits;
  return fmt::format("the path loses segments: {} sent {} again ({:.1f} % of what it sent)",
                     seen.name(), counted(again, "segment"), 100.0 * double(again) / double(sent));
}

bool is_urgent_twice(const Evidence& seen) { return seen.own().urgent > 1; }
bool is_urgent(const Evidence& seen) { return seen.own().urgent > 0; }

std::string words_of_urgent(const Evidence& seen) {
  return fmt::format("{} sent urgent data (URG) {}", seen.name(), times(seen.own().urgent));
}

bool is_nagled(const Evidence& seen) { return seen.own().nagled > 0; }

std::string words_of_nagle(const Evidence& seen) {
  return fmt::format("{} held small data back {} for an acknowledgment that {} delayed",
                     seen.name(), times(seen.own().nagled), seen.other_name());
}

constexpr const char* kNotReading =
    "a program that is stopped, blocked, too slow, or waits for something else: SIGSTOP, a "
    "debugger, "
    "a lock, a full disk";

constexpr std::array kRules = {
    DiagnosisRule{learns_tiny_mtu, "icmp-tiny-mtu", words_of_mtu},
    DiagnosisRule{learns_mtu, "path-mtu-discovery", words_of_mtu},
    DiagnosisRule{probes_size, "path-mtu-probing", words_of_size_probe, "mtu-probing-delay",
                  "it shows how many timeouts that takes"},
    DiagnosisRule{is_mtu_hole, "path-mtu-black-hole", words_of_mtu_hole},
    DiagnosisRule{lacks_large, "path-mtu-black-hole", words_of_lacking, nullptr, nullptr,
                  "a segment lost by chance, and retransmitted after the end of the capture"},
    DiagnosisRule{has_error<IcmpError::Kind::no_route>, "router-loses-route", words_of_error,
                  "icmp-in-established",
                  "it shows the effect of such an error on an open connection"},
    DiagnosisRule{has_error<IcmpError::Kind::no_host>, "host-unreachable-established",
                  words_of_error, "icmp-in-established",
                  "it shows the effect of such an error on an open connection"},
    DiagnosisRule{has_any_error, "icmp-in-established", words_of_error},
    DiagnosisRule{both_are_full, "both-write-nobody-reads", words_of_both},
    DiagnosisRule{misses_opening, "window-update-lost", words_of_missed_opening},
    DiagnosisRule{is_frozen, "frozen-application", words_of_frozen},
    DiagnosisRule{dies_with_closed_window, "power-off", words_of_unheard_window_probes,
                  "zero-window", "its answers were lost, and its program does not read", kGone},
    DiagnosisRule{is_closed_window, "zero-window", words_of_window, nullptr, nullptr, kNotReading},
    DiagnosisRule{loses_acks, "return-path-broken", words_of_lost_acks},
    DiagnosisRule{is_linear, "thin-linear-timeouts", words_of_linear, "power-off",
                  "the peer does not answer, whatever the timer"},
    DiagnosisRule{may_be_mtu_hole, "path-mtu-black-hole", words_of_possible_hole, "power-off",
                  "the other end is gone: it answers nothing", kGone},
    DiagnosisRule{is_dropped_on_the_way, "firewall-forgets-and-drops", words_of_drop},
    DiagnosisRule{dies_after_fin, "peer-dies-in-close-wait", words_of_death_after_fin},
    DiagnosisRule{dies_before_fin, "orphan-fin-wait1", words_of_death_before_fin,
                  "shutdown-dead-peer", "its program called shutdown(2), not close(2)"},
    DiagnosisRule{is_sought, "power-off-same-lan", words_of_seeking},
    DiagnosisRule{is_silent, "power-off", words_of_data_unheard, nullptr, nullptr, kGone},
    DiagnosisRule{probes_unheard, "keepalive-finds-power-off", words_of_probes_unheard, nullptr,
                  nullptr, kGone},
    DiagnosisRule{is_copied, "data-duplicated", words_of_copy},
    DiagnosisRule{is_spurious, "spurious-retransmission", words_of_spurious},
    DiagnosisRule{is_reordered, "data-reordered", words_of_order},
    DiagnosisRule{is_lossy, "", words_of_loss, nullptr, nullptr,
                  "a bad cable or radio link, a full queue on a slow link, a policer or traffic "
                  "shaper, a NIC that drops when it is overrun"},
    DiagnosisRule{recovers_late, "short-partition", words_of_recovery},
    DiagnosisRule{
        loses_first_unheard, "first-data-lost", words_of_recovery, "backlog-full-at-last-ack",
        "the server's accept queue was full until then: its kernel drops the last ACK and "
        "the data"},
    DiagnosisRule{loses_first, "first-data-lost", words_of_recovery},
    DiagnosisRule{is_urgent_twice, "second-urgent-byte", words_of_urgent},
    DiagnosisRule{is_urgent, "urgent-pointer", words_of_urgent, "urgent-inline",
                  "SO_OOBINLINE lets its receiver read it in line"},
    DiagnosisRule{is_nagled, "nagle-and-delayed-ack", words_of_nagle},
};

}  // namespace

std::span<const DiagnosisRule> transfer_rules() { return kRules; }

}  // namespace tcplab::reports
