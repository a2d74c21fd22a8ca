#include "capture/event/event.hh"

#include <poll.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace tcplab::capture {

namespace {

constexpr std::array<std::string_view, 12> kStateNames = {
    "CLOSED",    "ESTABLISHED", "SYN_SENT",   "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2",
    "TIME_WAIT", "CLOSE",       "CLOSE_WAIT", "LAST_ACK", "LISTEN",    "CLOSING"};

using PollName = std::pair<int, std::string_view>;

// In the usual order of the words, not that of their values.
constexpr std::array<PollName, 12> kPollNames = {{{POLLIN, "IN"},
                                                  {POLLPRI, "PRI"},
                                                  {POLLOUT, "OUT"},
                                                  {POLLERR, "ERR"},
                                                  {POLLHUP, "HUP"},
                                                  {POLLNVAL, "NVAL"},
                                                  {POLLRDNORM, "RDNORM"},
                                                  {POLLRDBAND, "RDBAND"},
                                                  {POLLWRNORM, "WRNORM"},
                                                  {POLLWRBAND, "WRBAND"},
                                                  {POLLMSG, "MSG"},
                                                  {POLLRDHUP, "RDHUP"}}};

void append_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += '|';
  text += word;
}

std::string hexadecimal(int number) {
  char digits[2 * sizeof number];
  const auto end = std::to_chars(digits, digits + sizeof digits, unsigned(number), 16).ptr;
  return "0x" + std::string(digits, end);
}

std::optional<int> parse_poll_number(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  int number = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, is_hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0) return std::nullopt;
  return number;
}

std::optional<int> parse_poll_word(std::string_view word) {
  const std::string_view bare = word.starts_with("POLL") ? word.substr(4) : word;
  for (const auto& [bit, bit_name] : kPollNames)
    if (bare == bit_name) return bit;
  return parse_poll_number(word);
}

}  // namespace

std::string_view name(TcpState state) {
  const auto index = std::size_t(state);
  return index < kStateNames.size() ? kStateNames[index] : "UNKNOWN";
}

std::optional<TcpState> tcp_state(std::string_view name) {
  for (std::size_t index = 0; index < kStateNames.size(); ++index)
    if (kStateNames[index] == name) return TcpState(index);
  return std::nullopt;
}

PowerChange power_change(ActionVerb verb) {
  using enum ActionVerb;
  if (verb == power_off || verb == power_cycle || verb == crash) return PowerChange::cut;
  if (verb == reboot) return PowerChange::restart;
  return verb == power_on ? PowerChange::on : PowerChange::none;
}

std::string poll_events(int revents) {
  std::string text;
  for (const auto& [bit, bit_name] : kPollNames) {
    if ((revents & bit) == 0) continue;
    append_word(text, bit_name);
    revents &= ~bit;
  }
  if (revents != 0) append_word(text, hexadecimal(revents));
  return text.empty() ? "0" : text;
}

std::optional<int> parse_poll_events(std::string_view text) {
  int revents = 0;
  while (true) {
    const auto bar = text.find('|');
    const auto bits = parse_poll_word(text.substr(0, bar));
    if (!bits) return std::nullopt;
    revents |= *bits;
    if (bar == std::string_view::npos) return revents;
    text.remove_prefix(bar + 1);
  }
}

bool has_effect(const Packet& packet, EffectKind kind) {
  return std::ranges::find(packet.effects, kind, &Effect::kind) != packet.effects.end();
}

bool is_altered(const Packet& packet) {
  return has_effect(packet, EffectKind::corrupted) || has_effect(packet, EffectKind::truncated);
}

bool is_forged(const Packet& packet) {
  return packet.fate == Fate::forged || has_effect(packet, EffectKind::forged);
}

bool is_copy(const Packet& packet) { return has_effect(packet, EffectKind::copied); }

}  // namespace tcplab::capture
