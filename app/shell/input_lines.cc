#include "app/shell/input_lines.hh"

#include <poll.h>
#include <unistd.h>

#include <array>

namespace tcplab::app {

namespace {

constexpr int kMostReads = 16;  // without a whole line

}  // namespace

std::optional<std::string> InputLines::next() {
  read();
  const auto end = partial_.find('\n');
  if (end == std::string::npos && (!has_ended_ || partial_.empty())) return std::nullopt;
  std::string line = partial_.substr(0, end);
  partial_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

bool InputLines::is_ready() const {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return !has_ended_ && ::poll(&input, 1, 0) == 1;
}

void InputLines::read() {
  for (int i = 0; i < kMostReads && partial_.find('\n') == std::string::npos && is_ready(); ++i) {
    std::array<char, 4096> buffer;
    const ssize_t size = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (size <= 0) has_ended_ = true;
    if (partial_.size() > longest_) partial_.resize(longest_ + 1);
    if (size > 0) partial_.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace tcplab::app
