// Reads lines from a descriptor. It does not use std::istream, which treats EINTR as the end.
#pragma once

#include <optional>
#include <string>

namespace tcplab::dnc {

class LineReader {
public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  /// Returns the next line without its newline, which may be missing in the last line; nullopt at
  /// the end.
  std::optional<std::string> next();

private:
  bool read_more();

  int descriptor_;
  std::string ahead_;
  std::size_t begin_ = 0;     // of the next line in ahead_
  std::size_t searched_ = 0;  // to here ahead_ has no newline, from begin_
};

}  // namespace tcplab::dnc
