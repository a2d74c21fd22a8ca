// Lines for people, on stderr or in a file, through spdlog. The times are the calls' own.
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

  /// An empty path is stderr. Throws base::UsageError when the file cannot be made.
  HumanOutput(const std::string& path, Stamp stamp);

  void line(base::Instant at, std::string_view text);

private:
  std::shared_ptr<spdlog::logger> logger_;
  base::nanoseconds wall_offset_;
};

}  // namespace tcplab::dnc
