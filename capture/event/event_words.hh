// The words of events.jsonl and reports for the enums of an event.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::capture {

// The words are in the order of the enumerators. words_of() selects the list by overload.
constexpr std::array<std::string_view, 36> words_of(ActionVerb) {
  return {"power_off", "power_on",    "power_cycle",    "crash",   "reboot", "unplug",
          "plug",      "type",        "close_stdin",    "stop",    "signal", "kill",
          "freeze",    "thaw",        "sysctl",         "nft",     "route",  "mtu",
          "link",      "add_address", "remove_address", "wait",    "idle",   "forge",
          "lose",      "cut",         "hold",           "delay",   "limit",  "duplicate",
          "reorder",   "corrupt",     "truncate",       "release", "remove", "inject"};
}
constexpr std::array<std::string_view, 4> words_of(StateCause) {
  return {"frame", "poll", "destroyed", "power"};
}
constexpr std::array<std::string_view, 19> words_of(EffectKind) {
  return {"delayed",       "held",          "reordered",    "duplicated",     "copied",
          "corrupted",     "truncated",     "lost",         "too_long",       "queue_full",
          "forged",        "stepped",       "lost_by_hand", "set_aside",      "sender_gone",
          "receiver_gone", "receiver_down", "nobody_else",  "unknown_address"};
}
constexpr std::array<std::string_view, 5> words_of(ProgramChange) {
  return {"started", "exited", "killed", "wrote", "calls_unseen"};
}
constexpr std::array<std::string_view, 2> words_of(CallPhase) { return {"enter", "return"}; }
constexpr std::array<std::string_view, 5> words_of(Fate) {
  return {"delivered", "lost", "held", "forged", "delayed"};
}
constexpr std::array<std::string_view, 7> words_of(KernelAction) {
  return {"drop",        "reset", "reset_received", "error", "retransmit", "retransmit_synack",
          "bad_checksum"};
}
constexpr std::array<std::string_view, 5> words_of(Outcome) {
  return {"passed", "failed", "skipped", "bad_script", "broken"};
}

constexpr std::array<std::string_view, 7> words_of(AuditStep) {
  return {"begins", "starting", "moment", "failure", "failure_ends", "after", "judged"};
}
constexpr std::array<std::string_view, 6> words_of(AuditOutcome) {
  return {"unaffected", "recovered", "error", "wrong_data", "hangs", "not_reached"};
}
constexpr std::array<std::string_view, 7> words_of(AuditReaction) {
  return {"printed",        "printed_error", "sent",         "none",
          "command_failed", "client_ended",  "always_active"};
}

template <typename Enum>
constexpr std::string_view word(Enum value) {
  return words_of(value)[static_cast<std::size_t>(value)];
}

constexpr std::string_view word(base::Family family) {
  return family == base::Family::ipv4 ? "ipv4" : "ipv6";
}

template <typename Enum>
constexpr std::optional<Enum> from_word(std::string_view text) {
  const auto words = words_of(Enum{});
  for (std::size_t index = 0; index < words.size(); ++index)
    if (words[index] == text) return static_cast<Enum>(index);
  return std::nullopt;
}

/// Version 1 of the format had other words for two of them.
template <>
constexpr std::optional<ActionVerb> from_word(std::string_view text) {
  if (text == "is sent a forgery,") return ActionVerb::forge;
  if (text == "lift") return ActionVerb::remove;
  const auto words = words_of(ActionVerb{});
  for (std::size_t index = 0; index < words.size(); ++index)
    if (words[index] == text) return static_cast<ActionVerb>(index);
  return std::nullopt;
}

template <>
constexpr std::optional<base::Family> from_word(std::string_view text) {
  if (text == "ipv4") return base::Family::ipv4;
  if (text == "ipv6") return base::Family::ipv6;
  return std::nullopt;
}

}  // namespace tcplab::capture
