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

}  // namespace tcplab::dnc
