// Reads the words of a text message between a run and a tracer.
#pragma once

#include <charconv>
#include <string_view>

#include "base/error.hh"

namespace tcplab::capture {

/// Returns the number that the word is. Throws base::UsageError for any other word.
template <typename Number>
Number number_of(std::string_view word, int base = 10) {
  Number value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc{} || end != word.data() + word.size())
    throw base::UsageError("a message of a tracer has no number where it needs one");
  return value;
}

/// Takes the words of a message, one after the other.
class MessageWords {
public:
  explicit MessageWords(std::string_view text) : rest_(text) {}

  /// Returns the next word; empty at the end.
  std::string_view next() {
    const auto end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return word;
  }

  template <typename Number>
  Number number() {
    return number_of<Number>(next());
  }

  std::string_view rest() const { return rest_; }

private:
  std::string_view rest_;
};

}  // namespace tcplab::capture
