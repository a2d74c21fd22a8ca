#include "dnc/repl/repl_words.hh"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::dnc {

namespace {

std::string unescape(std::string_view text) {
  auto bytes = base::c_unescape(text);
  if (!bytes) throw base::UsageError("not a C escape: " + std::string(text));
  return *std::move(bytes);
}

/// Returns the position of the quote that ends the string at `start`.
std::size_t closing_quote(std::string_view line, std::size_t start) {
  for (std::size_t at = start; at < line.size(); ++at) {
    if (line[at] == '\\')
      ++at;
    else if (line[at] == '"')
      return at;
  }
  throw base::UsageError("missing closing quote");
}

std::optional<int> parse_event(std::string name) {
  static constexpr std::array<std::pair<std::string_view, int>, 7> kNames = {{{"IN", POLLIN},
                                                                              {"PRI", POLLPRI},
                                                                              {"OUT", POLLOUT},
                                                                              {"ERR", POLLERR},
                                                                              {"HUP", POLLHUP},
                                                                              {"RDHUP", 0x2000},
                                                                              {"NONE", 0}}};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  if (name.starts_with("POLL")) name.erase(0, 4);
  for (const auto& [known, bit] : kNames)
    if (name == known) return bit;
  int number = 0;
  if (!name.starts_with("0X")) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + 2, end, number, 16);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace

Words split_words(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r\n";
  Words words;
  std::size_t at = line.find_first_not_of(kSpace);
  while (at != std::string_view::npos && !(words.empty() && line[at] == '#')) {
    std::size_t end = 0;
    if (line[at] == '"') {
      end = closing_quote(line, at + 1);
      words.push_back(unescape(line.substr(at + 1, end - at - 1)));
      ++end;
    } else {
      end = std::min(line.find_first_of(kSpace, at), line.size());
      words.push_back(unescape(line.substr(at, end - at)));
    }
    at = line.find_first_not_of(kSpace, end);
  }
  return words;
}

std::optional<int> parse_poll_events(std::string_view text) {
  int events = 0;
  while (true) {
    const auto separator = text.find_first_of("|,");
    const auto event = parse_event(std::string(text.substr(0, separator)));
    if (!event) return std::nullopt;
    events |= *event;
    if (separator == std::string_view::npos) return events;
    text.remove_prefix(separator + 1);
  }
}

}  // namespace tcplab::dnc
