// The values of socket options, as bytes and as text.
#pragma once

#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/socket_options.hh"
#include "dnc/calls/call_record.hh"

namespace tcplab::dnc {

using base::OptionKind;
using base::SocketOption;

/// The value of an option: the bytes for getsockopt(2) and setsockopt(2).
class OptionValue {
public:
  explicit OptionValue(const SocketOption& option);
  static OptionValue number(const SocketOption& option, int number);
  static OptionValue linger(const SocketOption& option, int seconds);
  /// Parses "1", "on" or "off"; for SO_LINGER "off" or seconds; for a timeout "2s"; for
  /// TCP_CONGESTION a name; for TCP_MD5SIG the peer's address and the key: "10.0.0.2=secret".
  /// Returns nullopt if the text is not valid.
  static std::optional<OptionValue> parse(const SocketOption& option, std::string_view text);

  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }
  socklen_t& size() { return size_; }
  socklen_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_).first(size_)); }

  int as_number() const;
  ::linger as_linger() const;
  timeval as_timeval() const;
  std::string to_string(const SocketOption& option) const;  // "1", "{1, 0 s}", "1.5 s", "cubic"

private:
  template <typename Value>
  void store(const Value& value);
  template <typename Value>
  Value load() const;

  alignas(std::max_align_t) std::array<char, 256> bytes_{};  // the largest value is a tcp_md5sig
  socklen_t size_ = 0;
};

/// The value that getsockopt(2) has stored, as a record has it. The members of a struct have the
/// names of socket(7).
class StoredOption {
public:
  StoredOption(const SocketOption& option, const OptionValue& value);
  StoredOption(const StoredOption&) = delete;
  StoredOption& operator=(const StoredOption&) = delete;

  /// Points into this object.
  StoredValue value() const { return value_; }

private:
  std::string text_;
  std::array<MemberValue, 2> members_{};
  StoredValue value_;
};

}  // namespace tcplab::dnc
