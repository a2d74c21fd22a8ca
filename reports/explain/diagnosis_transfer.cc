// What became of data: loss, silence, sizes, order, windows, ICMP errors.
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

/// A router's: what comes in the peer's name was not said on the way.
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
  return fmt::format("{} told {} by ICMP that no more than {} octets pass", error->from.to_string(),
                     seen.name(), error->mtu);
}

/// Sent again and again at full size, and nothing as large has ever come through.
bool is_too_large(const Attempt& attempt, const Evidence& seen) {
  return attempt.length >= kLarge && attempt.again_at_full >= 2 &&
         seen.own().largest_passed < attempt.length && !seen.others().window_is_closed;
}

bool probes_size(const Evidence& seen) {
  if (seen.own().healed && seen.own().healed->shortest < seen.own().healed->length)
    return seen.own().healed->length >= kLarge && seen.own().healed->again_at_full >= 2;
  return is_too_large(seen.own().attempt, seen) &&
         seen.own().attempt.shortest < seen.own().attempt.length;
}

std::string words_of_size_probe(const Evidence& seen) {
  const bool is_healed = seen.own().healed && seen.own().attempt.length == 0;
  const Attempt& attempt = is_healed ? *seen.own().healed : seen.own().attempt;
  return fmt::format(
      "{} sent a segment of {} octets {}, unacknowledged, and then tried the same octets in "
      "smaller ones{}",
      seen.name(), attempt.length, times(attempt.again_at_full + 1),
      is_healed ? ", which came through" : "");
}

bool is_mtu_hole(const Evidence& seen) {
  return is_too_large(seen.own().attempt, seen) && seen.own().attempt.peer_spoke;
}

std::string words_of_mtu_hole(const Evidence& seen) {
  return fmt::format(
      "{} sent a segment of {} octets {}, and it was never acknowledged, while smaller ones came "
      "through and were; nobody said by ICMP that it was too large",
      seen.name(), seen.own().attempt.length, times(seen.own().attempt.again_at_full + 1));
}

bool may_be_mtu_hole(const Evidence& seen) {
  return is_too_large(seen.own().attempt, seen) && seen.own().largest_passed > 0 &&
         !seen.is_reset() && !seen.self().sent_fin && seen.other().unanswered == 0;
}

std::string words_of_possible_hole(const Evidence& seen) {
  return fmt::format(
      "{} sent a segment of {} octets {}, and it was never acknowledged; none longer than {} has "
      "come through",
      seen.name(), seen.own().attempt.length, times(seen.own().attempt.again_at_full + 1),
      seen.own().largest_passed);
}

template <IcmpError::Kind kind>
bool has_error(const Evidence& seen) {
  return seen.talk.was_established() && error_of(seen, kind) != nullptr;
}

bool has_any_error(const Evidence& seen) {
  return seen.talk.was_established() && !seen.own().icmp.empty();
}

std::string words_of_error(const Evidence& seen) {
  return fmt::format("ICMP errors about what {} sent came from {} ({}), in an open connection",
                     seen.name(), seen.own().icmp.front().from.to_string(),
                     times(seen.own().icmp_errors));
}

// tcp_thin_linear_timeouts: a timeout is not doubled, as long as little is under way.
bool is_linear(const Evidence& seen) {
  constexpr std::uint64_t kEnough = 5;
  const Attempt& attempt = seen.own().attempt;
  if (attempt.again < kEnough) return false;
  const auto* const end = attempt.waits.begin() + std::min(attempt.again, attempt.waits.size() - 1);
  const auto [least, most] = std::minmax_element(attempt.waits.begin() + 1, end);
  return *least > 0 && *most < *least * 5 / 4;
}

std::string words_of_linear(const Evidence& seen) {
  return fmt::format("{} sent the same octets {}, and waited as long each time: {}", seen.name(),
                     times(seen.own().attempt.again + 1), duration(seen.own().attempt.waits[1]));
}

bool loses_acks(const Evidence& seen) { return seen.own().again_after_ack >= 2; }

std::string words_of_lost_acks(const Evidence& seen) {
  return fmt::format(
      "{} sent data again ({}) that {} had acknowledged in this capture: its acknowledgments do "
      "not arrive",
      seen.name(), times(seen.own().again_after_ack), seen.other_name());
}

bool is_silent(const Evidence& seen) {
  return seen.talk.was_established() && !seen.is_reset() && seen.own().attempt.again >= 2 &&
         seen.self().unanswered >= 2 && seen.own().keepalives_waiting == 0 &&
         !seen.others().window_is_closed;
}

bool is_sought(const Evidence& seen) {
  return seen.talk.was_established() && !seen.is_reset() && seen.own().attempt.again >= 1 &&
         seen.self().unanswered >= 1 && seen.facts.around.sought.at(1 - seen.end) > 0;
}

std::string words_of_data_unheard(const Evidence& seen) {
  return fmt::format("{} sent its data again, {}, and nothing came back any more", seen.name(),
                     times(seen.own().attempt.again));
}

std::string words_of_seeking(const Evidence& seen) {
  return words_of_data_unheard(seen) +
         fmt::format("; nobody on its link answered when {}'s address was asked for",
                     seen.other().address.address.to_string());
}

bool is_dropped_on_the_way(const Evidence& seen) {
  return is_silent(seen) && seen.own().farther > 0 && seen.own().stayed >= 2;
}

std::string words_of_drop(const Evidence& seen) {
  return words_of_data_unheard(seen) +
         "; what it sent before was seen to be forwarded by a router, this was not";
}

bool dies_after_fin(const Evidence& seen) {
  return is_silent(seen) && seen.other().sent_fin && seen.self().state == TcpState::close_wait;
}

bool dies_before_fin(const Evidence& seen) {
  return is_silent(seen) && seen.self().sent_fin && !seen.other().sent_fin;
}

std::string words_of_death_after_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + "; the other end had closed its half before";
}

std::string words_of_death_before_fin(const Evidence& seen) {
  return words_of_data_unheard(seen) + ", nor to its FIN";
}

bool is_copied(const Evidence& seen) { return seen.own().copies > 0; }

std::string words_of_copy(const Evidence& seen) {
  return fmt::format(
      "a packet of {} is there more than once, the same to the last octet: it was copied, not sent "
      "again",
      seen.name());
}

bool is_needless(const Evidence& seen) {
  constexpr std::int64_t kTimeout = 100'000'000;  // a tail loss probe may come sooner
  return seen.own().needless > 0 && seen.own().healed &&
         seen.own().healed->last_at - seen.own().healed->first_at > kTimeout;
}

std::string words_of_needless(const Evidence& seen) {
  return fmt::format(
      "{} sent data again, and {} says that it had it already (D-SACK): the path takes longer than "
      "the timer",
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
  return fmt::format("{} opened its window again, and {} went on probing: the news was lost",
                     seen.other_name(), seen.name());
}

bool is_frozen(const Evidence& seen) {
  return seen.others().windows_closed > 0 && seen.own().keepalives_answered > 0;
}

std::string words_of_frozen(const Evidence& seen) {
  return fmt::format(
      "{}'s kernel answered keepalive probes, and its window went to zero: nobody reads there",
      seen.other_name());
}

bool is_closed_window(const Evidence& seen) { return seen.others().windows_closed > 0; }

std::string words_of_window(const Evidence& seen) {
  return fmt::format("{} announced a window of zero{}{}", seen.other_name(),
                     seen.own().window_probes > 0
                         ? fmt::format(", and was probed {}", times(seen.own().window_probes))
                         : "",
                     seen.others().window_is_closed ? "" : "; later it opened again");
}

bool is_reordered(const Evidence& seen) {
  return seen.own().holes_filled > 0 && seen.own().data_again == 0 && seen.self().out_of_order == 0;
}

std::string words_of_order(const Evidence& seen) {
  return fmt::format(
      "{} told of a hole (SACK), and it was filled though {} sent nothing again: segments overtook "
      "each other",
      seen.other_name(), seen.name());
}

bool is_healed(const Evidence& seen) {
  return seen.own().healed && seen.own().needless == 0 && seen.own().asked_for == 0;
}

bool heals_late(const Evidence& seen) { return is_healed(seen) && seen.own().healed->again >= 2; }

bool loses_first(const Evidence& seen) {
  return is_healed(seen) && seen.own().first_data_again && seen.own().data_again == 1;
}

std::string words_of_healing(const Evidence& seen) {
  const Attempt& healed = *seen.own().healed;
  return fmt::format("{} sent {} again {}, the last {} after the first, and it was acknowledged",
                     seen.name(), seen.own().first_data_again ? "its first data" : "data",
                     times(healed.again), duration(healed.last_at - healed.first_at));
}

bool is_urgent_twice(const Evidence& seen) { return seen.own().urgent > 1; }
bool is_urgent(const Evidence& seen) { return seen.own().urgent > 0; }

std::string words_of_urgent(const Evidence& seen) {
  return fmt::format("{} sent urgent data (URG) {}", seen.name(), times(seen.own().urgent));
}

bool is_nagled(const Evidence& seen) { return seen.own().nagled > 0; }

std::string words_of_nagle(const Evidence& seen) {
  return fmt::format(
      "{} had small data to send and waited, {}, for an acknowledgment that {} delayed",
      seen.name(), times(seen.own().nagled), seen.other_name());
}

constexpr std::array kRules = {
    DiagnosisRule{learns_tiny_mtu, "icmp-tiny-mtu", words_of_mtu},
    DiagnosisRule{learns_mtu, "path-mtu-discovery", words_of_mtu},
    DiagnosisRule{probes_size, "path-mtu-probing", words_of_size_probe, "mtu-probing-delay",
                  "it shows how many timeouts that takes"},
    DiagnosisRule{is_mtu_hole, "path-mtu-black-hole", words_of_mtu_hole},
    DiagnosisRule{has_error<IcmpError::Kind::no_route>, "router-loses-route", words_of_error,
                  "icmp-in-established", "it shows what such an error does to an open connection"},
    DiagnosisRule{has_error<IcmpError::Kind::no_host>, "host-unreachable-established",
                  words_of_error, "icmp-in-established",
                  "it shows what such an error does to an open connection"},
    DiagnosisRule{has_any_error, "icmp-in-established", words_of_error},
    DiagnosisRule{both_are_full, "both-write-nobody-reads", words_of_both},
    DiagnosisRule{misses_opening, "window-update-lost", words_of_missed_opening},
    DiagnosisRule{is_frozen, "frozen-application", words_of_frozen},
    DiagnosisRule{is_closed_window, "zero-window", words_of_window},
    DiagnosisRule{loses_acks, "return-path-broken", words_of_lost_acks},
    DiagnosisRule{is_linear, "thin-linear-timeouts", words_of_linear, "power-off",
                  "nothing came back any more, whatever the timer"},
    DiagnosisRule{may_be_mtu_hole, "path-mtu-black-hole", words_of_possible_hole, "power-off",
                  "the other end is gone: nothing came back at all"},
    DiagnosisRule{is_dropped_on_the_way, "firewall-forgets-and-drops", words_of_drop},
    DiagnosisRule{dies_after_fin, "peer-dies-in-close-wait", words_of_death_after_fin},
    DiagnosisRule{dies_before_fin, "orphan-fin-wait1", words_of_death_before_fin,
                  "shutdown-dead-peer", "its program has not closed, only shut down"},
    DiagnosisRule{is_sought, "power-off-same-lan", words_of_seeking},
    DiagnosisRule{is_silent, "power-off", words_of_data_unheard},
    DiagnosisRule{is_copied, "data-duplicated", words_of_copy},
    DiagnosisRule{is_needless, "spurious-retransmission", words_of_needless},
    DiagnosisRule{is_reordered, "data-reordered", words_of_order},
    DiagnosisRule{heals_late, "short-partition", words_of_healing},
    DiagnosisRule{loses_first, "first-data-lost", words_of_healing},
    DiagnosisRule{is_urgent_twice, "second-urgent-byte", words_of_urgent},
    DiagnosisRule{is_urgent, "urgent-pointer", words_of_urgent, "urgent-inline",
                  "it is read in line where its receiver chose so"},
    DiagnosisRule{is_nagled, "nagle-and-delayed-ack", words_of_nagle},
};

}  // namespace

std::span<const DiagnosisRule> transfer_rules() { return kRules; }

}  // namespace tcplab::reports
