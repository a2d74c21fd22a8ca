// The socket options that failure modes turn on, by the names that socket(7), tcp(7), ip(7) and
// ipv6(7) give them.
#pragma once

#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tcplab::dnc {

enum class OptionKind { number, error, linger, duration, name, key };

struct SocketOption {
  std::string_view name;  // "TCP_NODELAY"
  int level = 0;
  int number = 0;
  OptionKind kind = OptionKind::number;
};

std::span<const SocketOption> socket_options();
/// Nothing for a name that is not in the table. Upper or lower case.
const SocketOption* find_socket_option(std::string_view name);

/// The bytes that getsockopt(2) fills and setsockopt(2) takes.
class OptionValue {
public:
  explicit OptionValue(const SocketOption& option);
  static OptionValue number(const SocketOption& option, int number);
  static OptionValue linger(const SocketOption& option, int seconds);
  /// "1", "on", "off"; for SO_LINGER "off" or seconds; for a timeout "2s"; for a name the name;
  /// for a key the peer's address and the key: "10.0.0.2=secret".
  static std::optional<OptionValue> parse(const SocketOption& option, std::string_view text);

  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }
  socklen_t& size() { return size_; }
  socklen_t size() const { return size_; }

  int as_number() const;
  std::string to_string(const SocketOption& option) const;  // "1", "{1, 0 s}", "1.5 s", "cubic"

private:
  template <typename Value>
  void store(const Value& value);
  template <typename Value>
  Value load() const;

  alignas(std::max_align_t) std::array<char, 256> bytes_{};  // the largest is tcp_md5sig
  socklen_t size_ = 0;
};

}  // namespace tcplab::dnc
