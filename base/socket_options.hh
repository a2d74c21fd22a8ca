// The names of socket options, from socket(7), tcp(7), ip(7) and ipv6(7).
#pragma once

#include <span>
#include <string_view>

namespace tcplab::base {

enum class OptionKind { number, error, linger, duration, name, key };

struct SocketOption {
  std::string_view name;  // "TCP_NODELAY"
  int level = 0;
  int number = 0;
  OptionKind kind = OptionKind::number;
};

std::span<const SocketOption> socket_options();
/// Finds an option by its name, in upper or lower case. Returns nullptr if there is none.
const SocketOption* find_socket_option(std::string_view name);
/// Finds an option by the arguments of setsockopt(2). Returns nullptr if it has no name here.
const SocketOption* find_socket_option(int level, int number);

}  // namespace tcplab::base
