#include "audit/socket_options.hh"

#include <charconv>

namespace tcplab::audit {

namespace {

constexpr std::string_view kEquals = " = ";

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void note_option(SocketOptions& options, const capture::Call& call) {
  if (call.result != 0) return;
  const std::string_view arguments = call.arguments;
  const std::size_t equals = arguments.find(kEquals);
  if (equals == std::string_view::npos) return;
  const std::string name(arguments.substr(0, equals));
  const auto value = number_in(arguments.substr(equals + kEquals.size()));
  if (!value) return;
  if (call.by_lab)
    options.by_lab.insert(name);
  else
    options.by_lab.erase(name);
  if (name == "SO_KEEPALIVE") options.keepalive = *value != 0;
  if (name == "TCP_KEEPIDLE") options.idle = *value;
  if (name == "TCP_KEEPINTVL") options.interval = *value;
  if (name == "TCP_KEEPCNT") options.count = *value;
  if (name == "TCP_SYNCNT") options.syn_count = *value;
  if (name == "TCP_USER_TIMEOUT") options.user_timeout = std::chrono::milliseconds(*value);
}

}  // namespace tcplab::audit
