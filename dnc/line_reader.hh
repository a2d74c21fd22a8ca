// Lines from a descriptor. Not a stream: a signal that asks for our state must get its answer
// while we wait for the next line, and poll(2) must not miss bytes that a stream keeps.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tcplab::dnc {

class LineReader {
public:
  /// `interrupted` is called when a signal came while waiting.
  LineReader(int descriptor, std::function<void()> interrupted)
      : descriptor_(descriptor), interrupted_(std::move(interrupted)) {}

  /// Without its newline; a last line may lack one. Nothing at the end.
  std::optional<std::string> next();

private:
  bool read_more();

  int descriptor_;
  std::function<void()> interrupted_;
  std::string ahead_;
};

}  // namespace tcplab::dnc
