#include "dnc/repl/line_reader.hh"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace tcplab::dnc {

std::optional<std::string> LineReader::next() {
  std::size_t end = 0;
  while ((end = ahead_.find('\n')) == std::string::npos) {
    if (read_more()) continue;
    if (ahead_.empty()) return std::nullopt;
    return std::exchange(ahead_, "");
  }
  std::string line = ahead_.substr(0, end);
  ahead_.erase(0, end + 1);
  return line;
}

bool LineReader::read_more() {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got > 0) ahead_.append(buffer.data(), static_cast<std::size_t>(got));
    if (got >= 0 || errno != EINTR) return got > 0;
  }
}

}  // namespace tcplab::dnc
