#include "dnc/repl/line_reader.hh"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace tcplab::dnc {

std::optional<std::string> LineReader::next() {
  std::size_t end = 0;
  while ((end = ahead_.find('\n', searched_)) == std::string::npos) {
    searched_ = ahead_.size();
    if (read_more()) continue;
    if (begin_ == ahead_.size()) return std::nullopt;
    end = ahead_.size();
    break;
  }
  std::string line = ahead_.substr(begin_, end - begin_);
  begin_ = std::min(end + 1, ahead_.size());
  searched_ = begin_;
  return line;
}

bool LineReader::read_more() {
  ahead_.erase(0, std::exchange(begin_, 0));  // once for all lines that one read brought
  searched_ = ahead_.size();
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got > 0) ahead_.append(buffer.data(), static_cast<std::size_t>(got));
    if (got >= 0 || errno != EINTR) return got > 0;
  }
}

}  // namespace tcplab::dnc
