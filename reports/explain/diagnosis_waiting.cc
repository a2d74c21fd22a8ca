// Rules for requests that were acknowledged and had no reply, and for failures after an idle time.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"
#include "reports/explain/waiting.hh"

namespace tcplab::reports {

using capture::ResetKind;

namespace {

std::optional<Waiting> wait_of(const Evidence& seen) {
  const auto waiting = waiting_of(seen.talk, seen.facts, Roles(seen.talk));
  if (!waiting || waiting->kind != Waiting::Kind::no_reply || waiting->end != seen.end) return {};
  return waiting;
}

/// The server's program closed nothing, its kernel answers, and no reply was lost.
bool has_no_reply(const Evidence& seen) {
  const auto waiting = wait_of(seen);
  return waiting && waiting->closed_by != 1 - seen.end && seen.self().unanswered == 0 &&
         seen.other().unanswered == 0 && seen.talk.missing(1 - seen.end).above == 0;
}

/// A TCP retransmits after 1 s at most, unless it has measured a longer round trip.
bool waits_for_acknowledgment(const Evidence& seen) {
  const auto waiting = waiting_of(seen.talk, seen.facts, Roles(seen.talk));
  return waiting && waiting->kind == Waiting::Kind::no_acknowledgment && waiting->end == seen.end;
}

std::string words_of_unacknowledged(const Evidence& seen) {
  const auto waiting = waiting_of(seen.talk, seen.facts, Roles(seen.talk));
  return fmt::format(
      "{} of {} were not acknowledged in {}, and {} did not retransmit them, which a TCP does "
      "after "
      "1 s at most (RFC 6298): frames are missing in the capture, or {} stopped, too",
      counted(seen.own().last_data.octets, "octet"), seen.name(), duration(waiting->lasted),
      seen.name(), seen.name());
}

bool is_closed_without_reply(const Evidence& seen) {
  return wait_of(seen) && seen.talk.states().closed_first() == 1 - seen.end;
}

std::string words_of_closing_without_reply(const Evidence& seen) {
  constexpr std::int64_t kTimeout = 1'000'000'000;  // nanoseconds; no program has a shorter one
  const std::int64_t lasted = wait_of(seen)->lasted;
  return fmt::format("{} closed {} after {}'s last data, and had sent no reply: {}",
                     seen.other_name(), duration(lasted), seen.name(),
                     lasted < kTimeout
                         ? "its program sends no reply, refused the request, or crashed or was "
                           "killed after it had read it"
                         : "a timeout of its program, or of a proxy in its place, which may wait "
                           "for the rest of a request");
}

/// Its later reset shows that the program had closed, and did not only stop sending.
bool closes_before_reply(const Evidence& seen) {
  constexpr std::int64_t kPatience = 1'000'000'000;  // nanoseconds; no program has less
  const Roles roles(seen.talk);
  return roles.are_known() && roles.first() == seen.end && seen.own().fin_before_reply &&
         seen.talk.states().closed_first() == seen.end &&
         seen.facts.ending().replied_last == 1 - seen.end && seen.is_reset() &&
         seen.talk.reset().by == seen.end &&
         seen.facts.ending().fin_at - seen.own().last_data.at >= kPatience;
}

std::string words_of_closing_before_reply(const Evidence& seen) {
  return fmt::format(
      "{} closed {} after its last data, before {} sent its next: a timeout of its "
      "program, or a user who gave up",
      seen.name(), duration(seen.facts.ending().fin_at - seen.own().last_data.at),
      seen.other_name());
}

bool has_never_a_reply(const Evidence& seen) {
  return has_no_reply(seen) && seen.other().octets == 0;
}

/// Keepalive probes show that the server's kernel is alive.
bool has_no_reply_from_living(const Evidence& seen) {
  return has_no_reply(seen) &&
         (seen.own().rare->keepalives_answered > 0 || seen.others().rare->keepalives_answered > 0);
}

std::string words_of_no_reply(const Evidence& seen) {
  const std::string other = seen.other_name();
  std::string words =
      fmt::format("{}'s kernel acknowledged {}'s last data, and no reply came in {}", other,
                  seen.name(), duration(wait_of(seen)->lasted));
  if (const std::uint64_t answered = seen.own().rare->keepalives_answered; answered > 0)
    words +=
        fmt::format("; that kernel is alive: it answered {}", counted(answered, "keepalive probe"));
  else if (seen.others().rare->keepalives_answered > 0)
    words += fmt::format("; that kernel is alive: it sent {}",
                         counted(seen.others().rare->keepalives, "keepalive probe"));
  return words;
}

constexpr const char* kNoReply =
    "a program that is slow, or waits for something else: a lock, a database, a free worker; a "
    "server that lost its power or its network after that acknowledgment (keepalive probes would "
    "tell); a reply that is lost on its way to this capture, as large segments are in "
    "path-mtu-black-hole (capture at the other end to see whether it was sent)";
constexpr const char* kNoReplyFromLiving =
    "a program that is slow, or waits for something else: a lock, a database, a free worker; large "
    "segments of a reply that are lost on their way to this capture, as in path-mtu-black-hole";

constexpr std::array kWaiting = {
    DiagnosisRule{
        waits_for_acknowledgment, "", words_of_unacknowledged, nullptr, nullptr,
        "a capture that was filtered, dropped frames, or was edited or made by hand; a "
        "path or device that both directions lost at once; a host that was frozen or lost "
        "its power"},
    DiagnosisRule{has_no_reply_from_living, "frozen-application", words_of_no_reply, nullptr,
                  nullptr, kNoReplyFromLiving},
    DiagnosisRule{has_never_a_reply, "never-accept", words_of_no_reply, "frozen-application",
                  "the program has the connection, and hangs", kNoReply},
    DiagnosisRule{has_no_reply, "frozen-application", words_of_no_reply, nullptr, nullptr,
                  kNoReply},
    DiagnosisRule{closes_before_reply, "", words_of_closing_before_reply},
    DiagnosisRule{is_closed_without_reply, "", words_of_closing_without_reply},
};

bool is_unheard_after_idle(const Evidence& seen) {
  const bool is_alone = !seen.is_reset() || seen.resets(ResetKind::gave_up);
  const bool is_sure = seen.self().unanswered >= 2 || seen.is_reset();
  return breaks_idle(seen) && is_alone && is_sure && !seen.talk.states().only_direction();
}

bool is_client_unheard_after_idle(const Evidence& seen) {
  return is_unheard_after_idle(seen) && Roles(seen.talk).first() == seen.end;
}

bool is_reset_after_idle(const Evidence& seen) {
  return breaks_idle(seen) && seen.is_reset() && seen.talk.reset().by != seen.end;
}

bool resets_after_idle(const Evidence& seen) {
  return breaks_idle(seen) && seen.resets(ResetKind::abort);
}

/// Defaults, as the vendors document them (2025).
std::string known_limits(std::int64_t idle) {
  struct Limit {
    std::int64_t seconds;
    const char* whose;
  };
  constexpr std::array kLimits = {
      Limit{240, "Azure Load Balancer, 240 s"},
      Limit{350, "AWS NAT gateway and Network Load Balancer, 350 s"},
      Limit{600, "Google Cloud's firewall, 600 s"},
      Limit{3600, "many firewalls, 3600 s"},
  };
  std::string text;
  for (const Limit& limit : kLimits)
    if (idle >= limit.seconds * 1'000'000'000)
      text += fmt::format("{}{}", text.empty() ? "" : "; ", limit.whose);
  return text.empty() ? "" : fmt::format(" (idle timeouts by default: {})", text);
}

std::string words_of_silent_expiry(const Evidence& seen) {
  return fmt::format(
      "{}; a NAT, firewall or load balancer may have forgotten it, and drop what {} "
      "sends",
      idle_text(seen), seen.name());
}

std::string words_of_expiry(const Evidence& seen) {
  return fmt::format(
      "{}; a NAT, firewall or load balancer that forgot it may have sent the RST in the name of {}",
      idle_text(seen), seen.other_name());
}

std::string words_of_idle_timeout(const Evidence& seen) {
  return fmt::format(
      "{}, and then the RST came: an idle timeout of {}'s program, or of a proxy, "
      "load balancer or firewall on the path",
      idle_text(seen), seen.name());
}

constexpr std::array kIdle = {
    with(Basis::silence,
         {is_client_unheard_after_idle, "nat-entry-expired-inside-writes", words_of_silent_expiry}),
    with(Basis::silence,
         {is_unheard_after_idle, "firewall-forgets-and-drops", words_of_silent_expiry}),
    DiagnosisRule{is_reset_after_idle, "firewall-forgets-and-resets", words_of_expiry},
    DiagnosisRule{resets_after_idle, "", words_of_idle_timeout},
};

}  // namespace

bool breaks_idle(const Evidence& seen) {
  return seen.facts.pauses().idle() && seen.facts.pauses().idle()->ended_by == seen.end;
}

std::string idle_text(const Evidence& seen) {
  const std::int64_t idle = seen.facts.pauses().idle()->lasted;
  return fmt::format("the connection had been idle for {}{}", duration(idle), known_limits(idle));
}

std::span<const DiagnosisRule> waiting_rules() { return kWaiting; }
std::span<const DiagnosisRule> idle_rules() { return kIdle; }

}  // namespace tcplab::reports
