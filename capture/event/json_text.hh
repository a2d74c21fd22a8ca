// JSON written by hand: an object grows at the end of a string, one member a call, without a
// tree in between. For the lines that a run writes by the hundred thousand.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/endpoint.hh"

namespace tcplab::capture {

/// Appends `text` as a JSON string, quotes included. Bytes that are not UTF-8 become \u00XX, as
/// if they were Latin-1: a reader always gets valid JSON, and still sees which bytes they were.
void append_json_string(std::string& out, std::string_view text);

void append_number(std::string& out, std::uint64_t number);
void append_number(std::string& out, std::int64_t number);

/// As Endpoint::to_string(), without its allocations.
void append_endpoint(std::string& out, const base::Endpoint& endpoint);

/// One object under construction. Members appear in the order of the calls; close() ends it.
class JsonObject {
public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

  void text(std::string_view key, std::string_view value);
  void text_unless_empty(std::string_view key, std::string_view value);
  void boolean(std::string_view key, bool value);

  template <std::integral Number>
  void number(std::string_view key, Number value) {
    begin(key);
    if constexpr (std::is_signed_v<Number>)
      append_number(out_, std::int64_t{value});
    else
      append_number(out_, std::uint64_t{value});
  }

  template <std::integral Number>
  void number_unless_zero(std::string_view key, Number value) {
    if (value != 0) number(key, value);
  }

  void endpoint(std::string_view key, const base::Endpoint& value);

  /// Writes the key; the caller appends the value to the string itself.
  void begin(std::string_view key);
  void close() { out_ += '}'; }

private:
  std::string& out_;
  bool is_first_ = true;
};

}  // namespace tcplab::capture
