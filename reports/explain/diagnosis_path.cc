// Rules for what a path lets pass: sizes of segments, and ICMP errors.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Attempt;
using capture::IcmpError;

namespace {

constexpr std::size_t kLarge = 1000;         // octets: more than any path must carry unfragmented
constexpr std::size_t kHeaders = 40;         // octets: IPv4 and TCP without options
constexpr std::uint32_t kSmallestMtu = 552;  // Linux: net.ipv4.route.min_pmtu

/// Returns a router's error; one in the peer's name is not from the path.
const IcmpError* error_of(const Evidence& seen, IcmpError::Kind kind) {
  for (const IcmpError& error : seen.own().rare->icmp)
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
  std::string words = fmt::format("{} reported to {} by ICMP that at most {} octets pass",
                                  error->from.to_string(), seen.name(), error->mtu);
  const Attempt& attempt = seen.own().attempt;
  if (attempt.full_size_after_icmp >= 2 && attempt.length + kHeaders > error->mtu)
    words += fmt::format(
        "; {} sent {} again {} at that size: it ignores the report, or does not get it (a firewall "
        "that drops ICMP)",
        seen.name(), counted(attempt.length, "octet"), times(attempt.full_size_after_icmp));
  return words;
}

/// Retransmitted at full size at least twice, and no segment as large was ever acknowledged.
bool is_too_large(const Attempt& attempt, const Evidence& seen) {
  return attempt.length >= kLarge && attempt.full_size_retransmits >= 2 &&
         seen.own().largest_passed < attempt.length && !seen.others().rare->window_is_closed;
}

bool probes_size(const Evidence& seen) {
  if (has_recovered(seen.own()) && seen.own().recovered->shortest < seen.own().recovered->length)
    return seen.own().recovered->length >= kLarge &&
           seen.own().recovered->full_size_retransmits >= 2;
  return is_too_large(seen.own().attempt, seen) &&
         seen.own().attempt.shortest < seen.own().attempt.length;
}

std::string words_of_size_probe(const Evidence& seen) {
  const bool is_recovered = has_recovered(seen.own()) && seen.own().attempt.length == 0;
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
      "no ICMP error said that it was too large",
      seen.name(), seen.own().attempt.length, times(seen.own().attempt.full_size_retransmits + 1));
}

/// At the receiver: a large segment never came, and only small ones did.
bool lacks_large(const Evidence& seen) {
  return seen.talk.missing(seen.end).above >= kLarge && seen.self().retransmissions == 0 &&
         seen.has_data() && seen.own().largest_seen < kLarge &&
         !seen.talk.states().only_direction() && !seen.is_reset();
}

std::string words_of_lacking(const Evidence& seen) {
  return fmt::format("{} of {} never arrived here, and {} did",
                     counted(seen.talk.missing(seen.end).above, "octet"), seen.name(),
                     seen.own().largest_seen > 0 ? "smaller segments before or after them"
                                                 : "later segments without data");
}

/// A small segment of later octets had no answer either. The peer answers one with a duplicate ACK.
bool loses_small_ones(const Attempt& attempt) {
  return attempt.shortest_later > 0 && attempt.shortest_later < kLarge && !attempt.peer_spoke;
}

bool may_be_mtu_hole(const Evidence& seen) {
  return is_too_large(seen.own().attempt, seen) && !loses_small_ones(seen.own().attempt) &&
         !seen.is_reset() && !seen.self_state().sent_fin && seen.other().unanswered == 0;
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
bool has_path_error(const Evidence& seen) {
  return seen.talk.states().was_established() && error_of(seen, kind) != nullptr;
}

bool has_any_path_error(const Evidence& seen) {
  return seen.talk.states().was_established() && !seen.own().rare->icmp.empty();
}

std::string words_of_path_error(const Evidence& seen) {
  return fmt::format("ICMP errors about segments of {} arrived from {} {}, in an open connection",
                     seen.name(), seen.own().rare->icmp.front().from.to_string(),
                     times(seen.own().rare->icmp_errors));
}

constexpr std::array kPathRules = {
    with(Basis::one_direction, {learns_tiny_mtu, "icmp-tiny-mtu", words_of_mtu}),
    with(Basis::one_direction, {learns_mtu, "path-mtu-discovery", words_of_mtu}),
    DiagnosisRule{probes_size, "path-mtu-probing", words_of_size_probe, "mtu-probing-delay",
                  "it shows how many timeouts that takes"},
    DiagnosisRule{is_mtu_hole, "path-mtu-black-hole", words_of_mtu_hole},
    DiagnosisRule{lacks_large, "path-mtu-black-hole", words_of_lacking, nullptr, nullptr,
                  "segments lost by chance, and retransmitted after the end of the capture; a "
                  "capture that dropped frames"},
    with(Basis::one_direction,
         {has_path_error<IcmpError::Kind::no_route>, "router-loses-route", words_of_path_error,
          "icmp-in-established", "it shows the effect of such an error on an open connection"}),
    with(Basis::one_direction,
         {has_path_error<IcmpError::Kind::no_host>, "host-unreachable-established",
          words_of_path_error, "icmp-in-established",
          "it shows the effect of such an error on an open connection"}),
    with(Basis::one_direction, {has_any_path_error, "icmp-in-established", words_of_path_error}),
    DiagnosisRule{may_be_mtu_hole, "path-mtu-black-hole", words_of_possible_hole, "power-off",
                  "the other end is gone: it answers nothing", kGone},
};

}  // namespace

std::span<const DiagnosisRule> path_rules() { return kPathRules; }

}  // namespace tcplab::reports
