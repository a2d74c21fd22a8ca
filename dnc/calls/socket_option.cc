#include "dnc/calls/socket_option.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "base/clock.hh"
#include "base/error.hh"
#include "dnc/calls/duration.hh"
#include "dnc/calls/socket_address.hh"

namespace tcplab::dnc {

namespace {

using Kind = OptionKind;

std::optional<int> parse_int(std::string_view text) {
  if (text == "on") return 1;
  if (text == "off") return 0;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

timeval to_timeval(std::chrono::nanoseconds duration) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  return {.tv_sec = microseconds / 1'000'000, .tv_usec = microseconds % 1'000'000};
}

socklen_t size_of(OptionKind kind) {
  switch (kind) {
    case Kind::number:
    case Kind::error:
      return sizeof(int);
    case Kind::linger:
      return sizeof(struct linger);
    case Kind::duration:
      return sizeof(timeval);
    case Kind::name:
      return 16;  // TCP_CA_NAME_MAX in include/net/tcp.h
    case Kind::key:
      return sizeof(tcp_md5sig);
  }
  return 0;
}

/// Returns true if the text may be a name or a key: the log writes these without escaping.
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '-';
  });
}

/// Parses "10.0.0.2=secret": the peer's address, and the key that signs the segments.
std::optional<tcp_md5sig> parse_key(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const auto address = base::IpAddress::parse(text.substr(0, equals));
  const auto key = text.substr(equals + 1);
  tcp_md5sig signature{};
  if (!address || !is_word(key) || key.size() > sizeof signature.tcpm_key) return std::nullopt;
  const SocketAddress peer(base::Endpoint{*address, 0});
  std::memcpy(&signature.tcpm_addr, peer.get(), peer.size());
  std::copy(key.begin(), key.end(), signature.tcpm_key);
  signature.tcpm_keylen = static_cast<std::uint16_t>(key.size());
  return signature;
}

std::string key_text(const tcp_md5sig& signature) {
  const SocketAddress peer(reinterpret_cast<const sockaddr*>(&signature.tcpm_addr),
                           sizeof signature.tcpm_addr);
  const auto* key = reinterpret_cast<const char*>(signature.tcpm_key);
  return peer.endpoint().address.to_string() + "=" + std::string(key, signature.tcpm_keylen);
}

}  // namespace

template <typename Value>
void OptionValue::store(const Value& value) {
  static_assert(sizeof value <= sizeof bytes_);
  std::memcpy(bytes_.data(), &value, sizeof value);
  size_ = sizeof value;
}

template <typename Value>
Value OptionValue::load() const {
  Value value;
  std::memcpy(&value, bytes_.data(), sizeof value);
  return value;
}

OptionValue::OptionValue(const SocketOption& option) : size_(size_of(option.kind)) {}

OptionValue OptionValue::number(const SocketOption& option, int number) {
  OptionValue value(option);
  value.store(number);
  return value;
}

OptionValue OptionValue::linger(const SocketOption& option, int seconds) {
  OptionValue value(option);
  value.store(::linger{.l_onoff = 1, .l_linger = seconds});
  return value;
}

std::optional<OptionValue> OptionValue::parse(const SocketOption& option, std::string_view text) {
  OptionValue value(option);
  if (option.kind == Kind::name) {
    if (text.size() >= value.size_ || !is_word(text)) return std::nullopt;
    std::copy(text.begin(), text.end(), value.bytes_.begin());
    value.size_ = static_cast<socklen_t>(text.size());
    return value;
  }
  if (option.kind == Kind::key) {
    const auto key = parse_key(text);
    if (!key) return std::nullopt;
    value.store(*key);
    return value;
  }
  if (option.kind == Kind::duration) {
    const auto duration = parse_duration(text);
    if (!duration) return std::nullopt;
    value.store(to_timeval(*duration));
    return value;
  }
  const auto number = parse_int(text);
  if (!number) return std::nullopt;
  if (option.kind == Kind::linger)
    value.store(::linger{.l_onoff = text == "off" ? 0 : 1, .l_linger = text == "on" ? 0 : *number});
  else
    value.store(*number);
  return value;
}

int OptionValue::as_number() const { return load<int>(); }

::linger OptionValue::as_linger() const { return load<::linger>(); }

timeval OptionValue::as_timeval() const { return load<timeval>(); }

std::string OptionValue::to_string(const SocketOption& option) const {
  switch (option.kind) {
    case Kind::number:
      return std::to_string(as_number());
    case Kind::error:
      return base::errno_name(as_number());
    case Kind::linger: {
      const auto linger = load<struct linger>();
      return linger.l_onoff == 0 ? "off" : "{1, " + std::to_string(linger.l_linger) + " s}";
    }
    case Kind::duration: {
      const auto time = load<timeval>();
      if (time.tv_sec == 0 && time.tv_usec == 0) return "none";
      return base::describe(std::chrono::seconds(time.tv_sec) +
                            std::chrono::microseconds(time.tv_usec));
    }
    case Kind::name:
      return {bytes_.data(), strnlen(bytes_.data(), size_)};
    case Kind::key:
      return key_text(load<tcp_md5sig>());
  }
  return "";
}

StoredOption::StoredOption(const SocketOption& option, const OptionValue& value)
    : text_(value.to_string(option)) {
  value_.text = text_;
  switch (option.kind) {
    case Kind::number:
    case Kind::error:
      value_.number = value.as_number();
      return;
    case Kind::linger:
      members_ = {
          {{"l_onoff", value.as_linger().l_onoff}, {"l_linger", value.as_linger().l_linger}}};
      value_.members = members_;
      return;
    case Kind::duration:
      members_ = {{{"tv_sec", value.as_timeval().tv_sec}, {"tv_usec", value.as_timeval().tv_usec}}};
      value_.members = members_;
      return;
    case Kind::name:
    case Kind::key:
      value_.name = text_;
      return;
  }
}

}  // namespace tcplab::dnc
