// What dnc's record calls the calls that it makes: for those who ask about them by name.
#pragma once

#include <array>
#include <string_view>

namespace tcplab::dnc {

inline constexpr std::array<std::string_view, 24> kCallNames = {
    "accept",    "bind",       "capset",     "close",   "connect",    "dup",
    "fcntl",     "fork",       "getsockopt", "ioctl",   "kill",       "listen",
    "poll",      "read",       "recv",       "recvmsg", "send",       "sendmsg",
    "setrlimit", "setsockopt", "shutdown",   "socket",  "socketpair", "write"};

}  // namespace tcplab::dnc
