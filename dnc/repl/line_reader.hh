// Lines from a descriptor, as they come. Not a stream: a stream takes EINTR for the end.
#pragma once

#include <optional>
#include <string>

namespace tcplab::dnc {

class LineReader {
public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  /// Without its newline; a last line may lack one. Nothing at the end.
  std::optional<std::string> next();

private:
  bool read_more();

  int descriptor_;
  std::string ahead_;
};

}  // namespace tcplab::dnc
