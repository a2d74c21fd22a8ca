// The names of the calls that the tracer records, and their families. For example, read(2),
// recvfrom(2) and recvmsg(2) are one family: they receive data.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tcplab::capture {

inline constexpr std::array<std::string_view, 8> kReceivingCalls = {
    "read", "readv", "preadv2", "recv", "recvfrom", "recvmsg", "recvmmsg", "splice"};
inline constexpr std::array<std::string_view, 9> kSendingCalls = {
    "write", "writev", "pwritev2", "send", "sendto", "sendmsg", "sendmmsg", "sendfile", "splice"};
/// Calls that wait until one of several descriptors is ready.
inline constexpr std::array<std::string_view, 7> kPollingCalls = {
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2"};
inline constexpr std::array<std::string_view, 2> kAcceptingCalls = {"accept", "accept4"};

template <std::size_t count>
constexpr bool is_one_of(std::string_view call, const std::array<std::string_view, count>& names) {
  return std::ranges::find(names, call) != names.end();
}

constexpr bool receives_data(std::string_view call) { return is_one_of(call, kReceivingCalls); }
constexpr bool sends_data(std::string_view call) { return is_one_of(call, kSendingCalls); }
/// Whether the result is a number of messages, not of octets.
constexpr bool counts_messages(std::string_view call) {
  return call == "recvmmsg" || call == "sendmmsg";
}
constexpr bool waits_for_readiness(std::string_view call) { return is_one_of(call, kPollingCalls); }

/// Whether the call is the wanted one. "recv", "send", "poll" and "accept" mean every call of their
/// family.
constexpr bool is_of_family(std::string_view call, std::string_view wanted) {
  if (wanted == "recv") return receives_data(call);
  if (wanted == "send") return sends_data(call);
  if (wanted == "poll") return waits_for_readiness(call);
  if (wanted == "accept") return is_one_of(call, kAcceptingCalls);
  return call == wanted;
}

}  // namespace tcplab::capture
