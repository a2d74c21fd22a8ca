#include "capture/event/json_text.hh"

#include <arpa/inet.h>

#include <charconv>

#include "base/utf8.hh"

namespace tcplab::capture {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
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
    const base::CodePoint point = base::decode_utf8(text);
    if (point.valid && point.length > 1)
      out.append(text.substr(0, point.length));
    else
      append_escape(out, static_cast<unsigned char>(text[0]));
    text.remove_prefix(point.length);
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
