// What a run's process and the one that started it tell each other: a word for what it is and a
// text, a line each, as JSON.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::engine {

struct RunMessage {
  std::string what;
  std::string text;
};

/// With its line feed. What is not UTF-8 is replaced.
std::string message_line(const RunMessage& message);
/// Of a line without its line feed.
bool is_message(std::string_view line);
RunMessage parse_message(std::string_view line);

/// Makes lines of pieces, wherever they were cut.
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

}  // namespace tcplab::engine
