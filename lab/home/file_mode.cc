#include "lab/home/file_mode.hh"

#include <charconv>

#include "base/error.hh"

namespace tcplab::lab {

mode_t mode_named(const std::string& digits) {
  constexpr mode_t kHighest = 07777;
  mode_t mode = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, mode, 8);
  if (digits.empty() || error != std::errc() || stopped != end || mode > kHighest)
    throw base::UsageError("option `mode` is a text of octal digits such as \"0600\", not \"" +
                           digits + "\"");
  return mode;
}

}  // namespace tcplab::lab
