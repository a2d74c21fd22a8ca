// Messages between a run's process and the process that started it: a word and a text, as a line of
// JSON.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::app {

struct RunMessage {
  std::string what;
  std::string text;
};

/// Returns the line with its line feed. Bytes that are not UTF-8 are replaced.
std::string message_line(const RunMessage& message);
/// Returns whether a line, without its line feed, is a message.
bool is_message(std::string_view line);
/// Parses a line without its line feed.
RunMessage parse_message(std::string_view line);

/// Joins pieces of a stream into lines.
class LineJoiner {
public:
  template <typename Take>
  void take(std::string_view text, Take take_line) {
    partial_ += text;
    std::size_t begin = 0;
    for (std::size_t end; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
      take_line(std::string_view(partial_).substr(begin, end - begin));
    partial_.erase(0, begin);
  }

private:
  std::string partial_;
};

}  // namespace tcplab::app
