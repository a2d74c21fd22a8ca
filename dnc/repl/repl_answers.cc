#include "dnc/repl/repl_answers.hh"

#include <charconv>
#include <cstring>
#include <fmt/format.h>

#include "base/error.hh"

namespace tcplab::dnc {

std::string failure(std::string_view call, int error) {
  return fmt::format("{} = -1 {} ({})\n", call, base::errno_name(error), std::strerror(error));
}

std::string answer_text(std::string_view call, const CallResult& answer) {
  if (answer.failed()) return failure(call, answer.error);
  return fmt::format("{} = {}\n", call, answer.result);
}

int parse_number(const std::string& text, int least, int most) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < least || number > most)
    throw base::UsageError(fmt::format("'{}' is not a number from {} to {}", text, least, most));
  return number;
}

}  // namespace tcplab::dnc
