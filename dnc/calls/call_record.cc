#include "dnc/calls/call_record.hh"

#include <poll.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace tcplab::dnc {

ArgumentText& ArgumentText::operator<<(std::string_view text) {
  const std::size_t room = std::min(text.size(), text_.size() - size_);
  std::memcpy(text_.data() + size_, text.data(), room);
  size_ += room;
  return *this;
}

ArgumentText& ArgumentText::operator<<(std::int64_t number) {
  const auto [end, error] =
      std::to_chars(text_.data() + size_, text_.data() + text_.size(), number);
  if (error == std::errc()) size_ = static_cast<std::size_t>(end - text_.data());
  return *this;
}

std::string_view poll_events(int events, ArgumentText& into) {
  // include/uapi/asm-generic/poll.h; POLLRDHUP and POLLMSG need _GNU_SOURCE in poll.h.
  static constexpr std::array<std::pair<int, std::string_view>, 12> kNames = {
      {{POLLIN, "IN"},
       {POLLPRI, "PRI"},
       {POLLOUT, "OUT"},
       {POLLERR, "ERR"},
       {POLLHUP, "HUP"},
       {POLLNVAL, "NVAL"},
       {POLLRDNORM, "RDNORM"},
       {POLLRDBAND, "RDBAND"},
       {POLLWRNORM, "WRNORM"},
       {POLLWRBAND, "WRBAND"},
       {0x400, "MSG"},
       {0x2000, "RDHUP"}}};
  const std::size_t start = into.view().size();
  for (const auto& [bit, name] : kNames) {
    if ((events & bit) == 0) continue;
    if (into.view().size() > start) into << "|";
    into << name;
  }
  if (into.view().size() == start) into << "0";
  return into.view().substr(start);
}

namespace {

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
