// Rules for segments that the path loses, copies or reorders, and for urgent and delayed data.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

using capture::Attempt;

namespace {

bool is_copied(const Evidence& seen) { return seen.own().rare->copies > 0; }

std::string words_of_copy(const Evidence& seen) {
  return fmt::format(
      "the capture has a packet of {} more than once, identical, so it is no retransmission: the "
      "path copied it",
      seen.name());
}

constexpr std::uint64_t kSeveral = 3;

/// Returns how many retransmissions the peer has not reported as unnecessary.
std::uint64_t necessary_retransmits(const Evidence& seen) {
  return seen.own().data_retransmits -
         std::min(seen.own().data_retransmits, seen.own().spurious_retransmits);
}

bool has_usual_reports(const Evidence& seen) {
  const std::uint64_t necessary = necessary_retransmits(seen);
  const bool loses = necessary >= kSeveral && seen.own().fast_retransmits > 0;
  return seen.own().spurious_retransmits > necessary && !loses;
}

bool is_spurious(const Evidence& seen) {
  constexpr std::int64_t kTimeout = 100'000'000;  // a tail loss probe may come sooner
  return has_usual_reports(seen) && has_recovered(seen.own()) &&
         seen.own().recovered->last_at - seen.own().recovered->first_at > kTimeout;
}

/// One such report may be of a tail loss probe.
bool is_spurious_at_once(const Evidence& seen) {
  // A keepalive probe with an octet of garbage is reported, too.
  return has_usual_reports(seen) && seen.own().spurious_retransmits >= 2 &&
         seen.own().data_retransmits >= 2;
}

std::string words_of_spurious(const Evidence& seen) {
  return fmt::format("{} retransmitted data, and {} reports that it had it already (D-SACK, {})",
                     seen.name(), seen.other_name(), times(seen.own().spurious_retransmits));
}

constexpr const char* kNotLost =
    "a round trip that has grown beyond the RTO; acknowledgments that are late, or were lost; "
    "segments that overtook each other; the path or the sender's NIC that sent them twice";

/// Large segments have passed, so the size is no reason.
bool lacks_data(const Evidence& seen) {
  return seen.talk.missing(seen.end).above > 0 && seen.has_data() &&
         !seen.talk.states().only_direction() && !seen.is_reset();
}

std::string words_of_lack(const Evidence& seen) {
  return fmt::format("{} of {} are not in the capture, and were not acknowledged; {}",
                     counted(seen.talk.missing(seen.end).above, "octet"), seen.name(),
                     seen.own().largest_seen == 0
                         ? "later segments without data are"
                         : fmt::format("later ones are, in segments of up to {}",
                                       counted(seen.own().largest_seen, "octet")));
}

/// Wireshark calls these out-of-order.
bool is_overtaken(const Evidence& seen) {
  return seen.own().overtaken > 0 && seen.own().data_retransmits == 0 && seen.fillers() == 0 &&
         seen.talk.missing(seen.end).below == 0;
}

std::string words_of_overtaken(const Evidence& seen) {
  return fmt::format(
      "{} of {} came after a later one: it had been sent before that, or came too soon for a "
      "retransmission",
      counted(seen.own().overtaken, "segment"), seen.name());
}

bool is_reordered(const Evidence& seen) {
  return seen.own().rare->holes_filled > 0 && seen.own().data_retransmits == 0 &&
         seen.self().out_of_order == 0 && seen.talk.missing(seen.end).below == 0;
}

std::string words_of_order(const Evidence& seen) {
  return fmt::format(
      "{} reported a hole (SACK), and it was filled without a retransmission of {}: segments "
      "overtook each other",
      seen.other_name(), seen.name());
}

/// The peer has no D-SACK, and acknowledged each copy.
bool is_acknowledged_twice(const Evidence& seen) {
  return seen.own().rare->doubly_acknowledged > 0 &&
         seen.own().rare->doubly_acknowledged >= seen.own().data_retransmits;
}

std::string words_of_twice(const Evidence& seen) {
  return fmt::format(
      "{} retransmitted data, and {} acknowledged the same octets twice: it got both copies",
      seen.name(), seen.other_name());
}

bool is_recovered(const Evidence& seen) {
  return has_recovered(seen.own()) && seen.own().spurious_retransmits == 0 &&
         seen.own().rare->doubly_acknowledged == 0 && seen.own().fast_retransmits == 0;
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
  return seen.own().data_retransmits + seen.fillers() >= kSeveral &&
         seen.own().fast_retransmits + seen.fillers() > 0;
}

/// Each time only a timeout repaired it, which may also come too soon.
bool loses_now_and_then(const Evidence& seen) {
  return is_recovered(seen) && seen.own().data_retransmits >= kSeveral;
}

std::string words_of_loss(const Evidence& seen) {
  const std::uint64_t again = seen.own().data_retransmits + seen.fillers();
  const std::uint64_t sent = seen.self().data_frames + seen.own().data_retransmits;
  std::string words = fmt::format("{}{} sent {} again ({:.1f} % of what it sent)",
                                  is_lossy(seen) ? "the path loses segments: " : "", seen.name(),
                                  counted(again, "segment"), 100.0 * double(again) / double(sent));
  if (const std::uint64_t spurious = seen.own().spurious_retransmits;
      spurious > 0 && spurious < again)
    words += fmt::format("; {} had {} of them already (D-SACK)", seen.other_name(), spurious);
  return words;
}

bool is_urgent_twice(const Evidence& seen) { return seen.own().rare->urgent > 1; }
bool is_urgent(const Evidence& seen) { return seen.own().rare->urgent > 0; }

std::string words_of_urgent(const Evidence& seen) {
  return fmt::format("{} sent urgent data (URG) {}", seen.name(), times(seen.own().rare->urgent));
}

bool is_nagled(const Evidence& seen) { return seen.own().rare->nagled > 0; }

std::string words_of_nagle(const Evidence& seen) {
  return fmt::format("{} held small data back {} for an acknowledgment that {} delayed",
                     seen.name(), times(seen.own().rare->nagled), seen.other_name());
}

constexpr std::array kLossy = {
    DiagnosisRule{is_lossy, "", words_of_loss, nullptr, nullptr,
                  "a bad cable or radio link, a full queue on a slow link, a policer or traffic "
                  "shaper, a NIC that drops when it is overrun"},
};

constexpr std::array kLossRules = {
    with(Basis::one_direction,
         {is_copied, "data-duplicated", words_of_copy, nullptr, nullptr,
          "a mirror port or a radio monitor that captures some frames twice"}),
    DiagnosisRule{is_spurious, "spurious-retransmission", words_of_spurious, nullptr, nullptr,
                  kNotLost},
    DiagnosisRule{is_spurious_at_once, "spurious-retransmission", words_of_spurious, nullptr,
                  nullptr, kNotLost},
    DiagnosisRule{is_acknowledged_twice, "spurious-retransmission", words_of_twice, nullptr,
                  nullptr, kNotLost},
    DiagnosisRule{is_reordered, "data-reordered", words_of_order},
    with(Basis::one_direction,
         {is_overtaken, "data-reordered", words_of_overtaken, nullptr, nullptr,
          "a capture that wrote frames of two processors in the wrong order"}),
    kLossy[0],
    DiagnosisRule{lacks_data, "", words_of_lack, nullptr, nullptr,
                  "a path that loses segments, and retransmissions after the end of the capture; a "
                  "capture that dropped frames; segments that took another path"},
    DiagnosisRule{recovers_late, "short-partition", words_of_recovery},
    DiagnosisRule{
        loses_first_unheard, "first-data-lost", words_of_recovery, "backlog-full-at-last-ack",
        "the server's accept queue was full until then: its kernel drops the last ACK and "
        "the data"},
    DiagnosisRule{loses_first, "first-data-lost", words_of_recovery},
    DiagnosisRule{
        loses_now_and_then, "", words_of_loss, nullptr, nullptr,
        "a path that loses segments; a round trip that grows beyond the RTO now and then; "
        "acknowledgments that are lost"},
    with(Basis::one_direction, {is_urgent_twice, "second-urgent-byte", words_of_urgent}),
    with(Basis::one_direction, {is_urgent, "urgent-pointer", words_of_urgent, "urgent-inline",
                                "SO_OOBINLINE lets its receiver read it in line"}),
    DiagnosisRule{is_nagled, "nagle-and-delayed-ack", words_of_nagle},
};

}  // namespace

std::span<const DiagnosisRule> lossy_rules() { return kLossy; }
std::span<const DiagnosisRule> loss_rules() { return kLossRules; }

}  // namespace tcplab::reports
