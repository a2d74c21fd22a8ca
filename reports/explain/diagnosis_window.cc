// Rules for windows that close: a program that does not read.
#include <array>
#include <fmt/format.h>

#include "reports/explain/diagnosis_rules.hh"

namespace tcplab::reports {

namespace {

bool both_are_full(const Evidence& seen) {
  return seen.own().rare->windows_closed > 0 && seen.others().rare->windows_closed > 0;
}

std::string words_of_both(const Evidence&) { return "both ends announced a window of zero"; }

bool misses_opening(const Evidence& seen) {
  return seen.others().rare->window_opened && seen.own().rare->probes_after_opening > 0;
}

std::string words_of_missed_opening(const Evidence& seen) {
  return fmt::format("{} opened its window, and {} still probed: the window update was lost",
                     seen.other_name(), seen.name());
}

bool is_frozen(const Evidence& seen) {
  return seen.others().rare->windows_closed > 0 && seen.own().rare->keepalives_answered > 0;
}

std::string words_of_frozen(const Evidence& seen) {
  return fmt::format(
      "{}'s kernel answered keepalive probes, and its window closed: its program does not read",
      seen.other_name());
}

bool is_closed_window(const Evidence& seen) { return seen.others().rare->windows_closed > 0; }

bool dies_with_closed_window(const Evidence& seen) {
  const bool was_probed =
      seen.others().rare->window_is_closed && seen.own().rare->window_probes > 0;
  return was_probed && seen.self().unanswered >= 2;
}

std::string words_of_unheard_window_probes(const Evidence& seen) {
  return fmt::format("{}'s window was zero, and the last {} probes had no answer: {}",
                     seen.other_name(), seen.self().unanswered,
                     "a living kernel answers them, even if its program hangs");
}

std::string words_of_window(const Evidence& seen) {
  return fmt::format("{} announced a window of zero{}{}", seen.other_name(),
                     seen.own().rare->window_probes > 0
                         ? fmt::format(", and was probed {}", times(seen.own().rare->window_probes))
                         : "",
                     seen.others().rare->window_is_closed ? "" : "; later it opened the window");
}
constexpr const char* kNotReading =
    "a program that is stopped, blocked, too slow, or waits for something else: SIGSTOP, a "
    "debugger, "
    "a lock, a full disk";

constexpr std::array kWindowRules = {
    DiagnosisRule{both_are_full, "both-write-nobody-reads", words_of_both},
    DiagnosisRule{misses_opening, "window-update-lost", words_of_missed_opening},
    DiagnosisRule{is_frozen, "frozen-application", words_of_frozen},
    DiagnosisRule{dies_with_closed_window, "power-off", words_of_unheard_window_probes,
                  "zero-window", "its answers were lost, and its program does not read", kGone},
    with(Basis::one_direction,
         {is_closed_window, "zero-window", words_of_window, nullptr, nullptr, kNotReading}),
};

}  // namespace

std::span<const DiagnosisRule> window_rules() { return kWindowRules; }

}  // namespace tcplab::reports
