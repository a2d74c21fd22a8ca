// The names of all calls in dnc's log, so that tcplab can check the names in scenarios.
#pragma once

#include <array>
#include <string_view>

namespace tcplab::dnc {

inline constexpr std::array<std::string_view, 26> kCallNames = {
    "accept",   "bind",       "capset",     "close",  "connect", "dup",       "fcntl",
    "fork",     "getsockopt", "ioctl",      "kill",   "listen",  "pipe2",     "poll",
    "read",     "recv",       "recvmsg",    "send",   "sendmsg", "setrlimit", "setsockopt",
    "shutdown", "socket",     "socketpair", "splice", "write"};

}  // namespace tcplab::dnc
