#include "dnc/repl/repl_words.hh"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::dnc {

namespace {

std::string unescape(std::string_view text) {
  auto bytes = base::c_unescape(text);
  if (!bytes) throw base::UsageError("not a C escape: " + std::string(text));
  return *std::move(bytes);
}

/// Returns the position of the quote that ends the string at `start`.
std::size_t closing_quote(std::string_view line, std::size_t start) {
  for (std::size_t at = start; at < line.size(); ++at) {
    if (line[at] == '\\')
      ++at;
    else if (line[at] == '"')
      return at;
  }
  throw base::UsageError("missing closing quote");
}

}  // namespace

Words split_words(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r\n";
  Words words;
  std::size_t at = line.find_first_not_of(kSpace);
  while (at != std::string_view::npos && !(words.empty() && line[at] == '#')) {
    std::size_t end = 0;
    if (line[at] == '"') {
      end = closing_quote(line, at + 1);
      words.push_back(unescape(line.substr(at + 1, end - at - 1)));
      ++end;
    } else {
      end = std::min(line.find_first_of(kSpace, at), line.size());
      words.push_back(unescape(line.substr(at, end - at)));
    }
    at = line.find_first_not_of(kSpace, end);
  }
  return words;
}

}  // namespace tcplab::dnc
