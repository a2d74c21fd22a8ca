#include "capture/event/json_text.hh"

#include <arpa/inet.h>

#include <charconv>

namespace tcplab::capture {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The lowest code point for each length in bytes (RFC 3629 section 3): a lower one in a longer form
// is not UTF-8.
constexpr std::uint32_t kLowestCodePoint[] = {0, 0, 0x80, 0x800, 0x10000};

std::size_t announced_length(unsigned char lead) {
  if (lead >= 0xf0) return lead < 0xf8 ? 4 : 0;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 0;
}

/// Returns the length of the UTF-8 sequence at the start of `text`, whose first byte is at least
/// 0x80; 0 if that is not UTF-8.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(lead);
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code_point = lead & (0x7fU >> length);
  for (std::size_t index = 1; index < length; ++index) {
    const auto byte = static_cast<unsigned char>(text[index]);
    if (!is_continuation(byte)) return 0;
    code_point = code_point << 6 | (byte & 0x3fU);
  }
  const bool is_surrogate = code_point >= 0xd800 && code_point < 0xe000;
  const bool is_in_range = code_point >= kLowestCodePoint[length] && code_point < 0x110000;
  return is_in_range && !is_surrogate ? length : 0;
}

void append_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
  }
}

template <typename Number>
void append_decimal(std::string& out, Number number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_ipv4(std::string& out, const base::IpAddress& address) {
  for (std::size_t index = 0; index < 4; ++index) {
    if (index != 0) out += '.';
    append_decimal(out, unsigned{address.bytes[index]});
  }
}

void append_ipv6(std::string& out, const base::IpAddress& address) {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(AF_INET6, address.bytes.data(), text, sizeof text);
  out += '[';
  out += text;
  out += ']';
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t length = 0;
    while (length < text.size() && is_plain(static_cast<unsigned char>(text[length]))) ++length;
    out.append(text.substr(0, length));
    text.remove_prefix(length);
    if (text.empty()) break;
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t sequence = byte < 0x80 ? 0 : sequence_length(text);
    if (sequence == 0) append_escape(out, byte);
    out.append(text.substr(0, sequence));
    text.remove_prefix(sequence == 0 ? 1 : sequence);
  }
  out += '"';
}

void append_number(std::string& out, std::uint64_t number) { append_decimal(out, number); }
void append_number(std::string& out, std::int64_t number) { append_decimal(out, number); }

void append_endpoint(std::string& out, const base::Endpoint& endpoint) {
  if (endpoint.address.family == base::Family::ipv4)
    append_ipv4(out, endpoint.address);
  else
    append_ipv6(out, endpoint.address);
  out += ':';
  append_decimal(out, unsigned{endpoint.port});
}

void JsonObject::begin(std::string_view key) {
  out_ += is_first_ ? "\"" : ",\"";
  out_ += key;
  out_ += "\":";
  is_first_ = false;
}

}  // namespace tcplab::capture
