#include "capture/calls/call_text.hh"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include "base/clock.hh"
#include "base/error.hh"
#include "base/escape.hh"
#include "base/socket_address.hh"
#include "base/socket_options.hh"
#include "capture/calls/tracee_layout.hh"

namespace tcplab::capture {

namespace {

using Kind = CallKind;

constexpr std::size_t kMostShown = 16;  // of an iovec that are looked at

struct FlagName {
  int bit;
  std::string_view name;
};

constexpr auto kMessageFlags = std::to_array<FlagName>({{MSG_OOB, "MSG_OOB"},
                                                        {MSG_PEEK, "MSG_PEEK"},
                                                        {MSG_DONTWAIT, "MSG_DONTWAIT"},
                                                        {MSG_WAITALL, "MSG_WAITALL"},
                                                        {MSG_NOSIGNAL, "MSG_NOSIGNAL"},
                                                        {MSG_MORE, "MSG_MORE"},
                                                        {MSG_ERRQUEUE, "MSG_ERRQUEUE"},
                                                        {MSG_TRUNC, "MSG_TRUNC"},
                                                        {MSG_FASTOPEN, "MSG_FASTOPEN"},
                                                        {MSG_ZEROCOPY, "MSG_ZEROCOPY"}});

std::string message_flags(int flags) {
  std::string text;
  for (const FlagName& flag : kMessageFlags)
    if ((flags & flag.bit) != 0) text += (text.empty() ? "" : "|") + std::string(flag.name);
  return text;
}

std::string bytes_and_flags(std::uint64_t bytes, std::uint64_t flags) {
  const std::string names = message_flags(static_cast<int>(flags));
  return fmt::format("{} bytes{}{}", bytes, names.empty() ? "" : ", ", names);
}

/// The first of them.
std::vector<iovec> buffers(const CallStop& stop, const BufferList& list) {
  return read_buffers(stop, {list.address, std::min<std::uint64_t>(list.count, kMostShown)});
}

std::uint64_t total(const std::vector<iovec>& vector) {
  std::uint64_t bytes = 0;
  for (const iovec& buffer : vector) bytes += buffer.iov_len;
  return bytes;
}

std::vector<iovec> message_buffers(const CallStop& stop) {
  const auto list = read_message(stop, stop.arguments[1]);
  return list ? buffers(stop, *list) : std::vector<iovec>{};
}

std::string option_name(const CallStop& stop) {
  const int level = static_cast<int>(stop.arguments[1]);
  const int number = static_cast<int>(stop.arguments[2]);
  const base::SocketOption* option = base::find_socket_option(level, number);
  if (option != nullptr) return std::string(option->name);
  return fmt::format("{} option {}", level == SOL_SOCKET ? "SOL_SOCKET" : "TCP", number);
}

/// " = 1", " = {1, 0 s}" or " = 1.5 s": the value that setsockopt(2) is given.
std::string option_value(const CallStop& stop) {
  const base::SocketOption* option = base::find_socket_option(static_cast<int>(stop.arguments[1]),
                                                              static_cast<int>(stop.arguments[2]));
  const auto kind = option == nullptr ? base::OptionKind::number : option->kind;
  if (kind == base::OptionKind::duration) {
    const auto time = read_timeval(stop, stop.arguments[3]);
    return time ? " = " + base::describe(*time) : "";
  }
  if (kind == base::OptionKind::linger) {
    const auto value = read_value<linger>(stop.thread, stop.arguments[3]);
    return value ? fmt::format(" = {{{}, {} s}}", value->l_onoff, value->l_linger) : "";
  }
  if (kind == base::OptionKind::name) {
    constexpr std::size_t kLongestName = 16;  // TCP_CA_NAME_MAX in include/net/tcp.h
    const auto name = read_values<char>(stop.thread, stop.arguments[3],
                                        std::min<std::size_t>(stop.arguments[4], kLongestName));
    return " = " + base::c_escape(std::string(name.data(), ::strnlen(name.data(), name.size())));
  }
  const auto number = read_value<int>(stop.thread, stop.arguments[3]);
  return kind == base::OptionKind::key || !number ? "" : fmt::format(" = {}", *number);
}

std::string control_text(const CallStop& stop) {
  const auto argument = stop.arguments[2];
  if (stop.call->name == "ioctl") {
    const auto on = read_value<int>(stop.thread, argument);
    return fmt::format("FIONBIO, {}", on.value_or(0));
  }
  if (stop.arguments[1] != F_SETFL) return "F_DUPFD";
  return (argument & O_NONBLOCK) != 0 ? "F_SETFL, O_RDWR|O_NONBLOCK" : "F_SETFL, O_RDWR";
}

std::string shutdown_text(std::uint64_t how) {
  constexpr std::array<std::string_view, 3> kHow = {"SHUT_RD", "SHUT_WR", "SHUT_RDWR"};
  return how < kHow.size() ? std::string(kHow[how]) : std::to_string(how);
}

std::optional<base::nanoseconds> milliseconds_argument(std::uint64_t argument) {
  const int count = static_cast<int>(argument);
  if (count < 0) return std::nullopt;
  return std::chrono::milliseconds(count);
}

/// Reads at most `size` bytes of the buffers.
std::string gather(pid_t thread, const std::vector<iovec>& vector, std::size_t size) {
  std::string bytes;
  for (const iovec& buffer : vector) {
    const std::size_t part = std::min(size - bytes.size(), buffer.iov_len);
    const auto read =
        read_values<char>(thread, reinterpret_cast<TraceeAddress>(buffer.iov_base), part);
    bytes.append(read.begin(), read.end());
    if (bytes.size() >= size) break;
  }
  return bytes;
}

}  // namespace

std::optional<base::Endpoint> address_argument(const CallStop& stop) {
  const auto bytes =
      read_values<std::byte>(stop.thread, stop.arguments[1],
                             std::min<std::uint64_t>(stop.arguments[2], sizeof(sockaddr_storage)));
  sockaddr_storage address{};
  if (!bytes.empty()) std::memcpy(&address, bytes.data(), bytes.size());
  return base::endpoint_of(address);
}

std::string argument_text(const CallStop& stop) {
  const auto& arguments = stop.arguments;
  switch (stop.call->kind) {
    case Kind::socket:
      return fmt::format("{}, SOCK_STREAM{}", arguments[0] == AF_INET6 ? "AF_INET6" : "AF_INET",
                         (arguments[1] & SOCK_NONBLOCK) != 0 ? "|SOCK_NONBLOCK" : "");
    case Kind::connect:
    case Kind::bind: {
      const auto address = address_argument(stop);
      return address ? address->to_string() : "AF_UNSPEC";
    }
    case Kind::listen:
      return std::to_string(static_cast<int>(arguments[1]));
    case Kind::transfer:
      return fmt::format("{} bytes", arguments[2]);
    case Kind::vector:
      return fmt::format("{} bytes", total(buffers(stop, {arguments[1], arguments[2]})));
    case Kind::datagram:
      return bytes_and_flags(arguments[2], arguments[3]);
    case Kind::message:
      return bytes_and_flags(total(message_buffers(stop)), arguments[2]);
    case Kind::messages:
      return fmt::format("{} messages", arguments[2]);
    case Kind::sendfile:
      return fmt::format("{} bytes", arguments[3]);
    case Kind::splice:
      return fmt::format("fd {} -> fd {}, {} bytes", static_cast<int>(arguments[0]),
                         static_cast<int>(arguments[2]), arguments[4]);
    case Kind::shutdown:
      return shutdown_text(arguments[1]);
    case Kind::control:
      return control_text(stop);
    case Kind::get_option:
      return option_name(stop);
    case Kind::set_option:
      return option_name(stop) + option_value(stop);
    case Kind::accept:
    case Kind::close:
    case Kind::close_range:
    case Kind::duplicate:
    case Kind::replace:
    case Kind::poll:
    case Kind::ppoll:
    case Kind::select:
    case Kind::pselect:
    case Kind::epoll_control:
    case Kind::epoll_wait:
    case Kind::epoll_pwait2:
    case Kind::restart:
    case Kind::exit:
      return "";
  }
  return "";
}

std::optional<base::nanoseconds> timeout_argument(const CallStop& stop) {
  const auto& arguments = stop.arguments;
  const Kind kind = stop.call->kind;
  if (kind == Kind::poll) return milliseconds_argument(arguments[2]);
  if (kind == Kind::epoll_wait) return milliseconds_argument(arguments[3]);
  if (kind == Kind::ppoll) return read_timespec(stop, arguments[2]);
  if (kind == Kind::epoll_pwait2) return read_timespec(stop, arguments[3]);
  if (kind == Kind::pselect) return read_timespec(stop, arguments[4]);
  return read_timeval(stop, arguments[4]);  // select
}

std::string timeout_text(const CallStop& stop) {
  const auto timeout = timeout_argument(stop);
  if (!timeout) return "timeout none";
  return fmt::format("timeout {} ms",
                     std::chrono::duration_cast<std::chrono::milliseconds>(*timeout).count());
}

std::string data_text(const CallStop& stop, std::int64_t size) {
  const auto shown = std::min<std::size_t>(
      static_cast<std::size_t>(std::max<std::int64_t>(size, 0)), base::kBytesShown);
  const Kind kind = stop.call->kind;
  if (shown == 0) return "";
  if (kind == Kind::transfer || kind == Kind::datagram) {
    const auto bytes = read_values<char>(stop.thread, stop.arguments[1], shown);
    return base::c_escape({bytes.data(), bytes.size()});
  }
  std::vector<iovec> vector;
  if (kind == Kind::vector) vector = buffers(stop, {stop.arguments[1], stop.arguments[2]});
  if (kind == Kind::message) vector = message_buffers(stop);
  return base::c_escape(gather(stop.thread, vector, shown));
}

}  // namespace tcplab::capture
