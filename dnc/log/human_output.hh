// Writes lines for people to stderr or a file, with spdlog. Each line has the time of its call.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.hh"

namespace spdlog {
class logger;
}

namespace tcplab::dnc {

class HumanOutput {
public:
  enum class Stamp { utc, none };

  /// Writes to this file, or to stderr if the path is empty. Throws base::UsageError if the file
  /// cannot be opened.
  HumanOutput(const std::string& path, Stamp stamp);

  void line(base::Instant at, std::string_view text);

private:
  std::shared_ptr<spdlog::logger> logger_;
  base::nanoseconds wall_offset_;
};

}  // namespace tcplab::dnc
