// Writes JSON straight to the end of a string, without building a tree first. A run writes
// hundreds of thousands of such lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/endpoint.hh"

namespace tcplab::capture {

/// Appends `text` as a JSON string, with its quotes. Bytes that are not UTF-8 become \u00XX, as if
/// they were Latin-1, so that the JSON is always valid and still shows which bytes they were.
void append_json_string(std::string& out, std::string_view text);

void append_number(std::string& out, std::uint64_t number);
void append_number(std::string& out, std::int64_t number);

/// Appends what Endpoint::to_string() returns, without allocating.
void append_endpoint(std::string& out, const base::Endpoint& endpoint);

/// One object under construction. Its members appear in the order of the calls.
class JsonObject {
public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

  /// Writes a key. The caller then appends the value to the string.
  void begin(std::string_view key);
  void close() { out_ += '}'; }

private:
  std::string& out_;
  bool is_first_ = true;
};

}  // namespace tcplab::capture
