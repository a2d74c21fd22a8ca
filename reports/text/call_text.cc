#include "reports/text/call_text.hh"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/call_names.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Call;
using capture::CallPhase;

using capture::is_one_of;

bool transfers_data(const Call& call) {
  return capture::receives_data(call.call) || capture::sends_data(call.call);
}

bool reads(const Call& call) { return capture::receives_data(call.call); }

bool asks_socket_error(const Call& call) {
  return call.call == "getsockopt" && call.arguments.find("SO_ERROR") != std::string::npos;
}

bool is_poll(const Call& call) { return capture::waits_for_readiness(call.call); }

/// Returns the number of bytes of C-escaped text: \n, \x1b and \033 count as one.
std::size_t unescaped_length(std::string_view text) {
  std::size_t count = 0;
  const auto skip = [&text](std::size_t most, std::string_view digits) {
    while (most-- > 0 && !text.empty() && digits.find(text[0]) != std::string_view::npos)
      text.remove_prefix(1);
  };
  for (; !text.empty(); ++count) {
    const bool is_escape = text[0] == '\\' && text.size() > 1;
    const char kind = is_escape ? text[1] : '\0';
    if (kind >= '0' && kind <= '7') {
      text.remove_prefix(1);
      skip(3, "01234567");
      continue;
    }
    text.remove_prefix(is_escape ? 2 : 1);
    if (kind == 'x') skip(2, "0123456789abcdefABCDEF");
  }
  return count;
}

std::string argument_text(const Call& call, const HostNames& names, const Style& style) {
  std::string text;
  const auto append = [&text](const std::string& argument) {
    if (!argument.empty()) text += (text.empty() ? "" : ", ") + argument;
  };
  if (call.fd >= 0) append(std::to_string(call.fd));
  const auto peer = call.remote ? call.remote : capture::Endpoint::parse(call.arguments);
  if (call.call == "connect" && peer)
    append(names.name(*peer));
  else if (style.verbose || (!transfers_data(call) && !is_poll(call)))
    append(call.arguments);
  return text;
}

void add_poll_answer(StyledText& text, const Call& call) {
  if (call.result == 0) text.add(" timeout", Paint::dim);
  if (call.revents != 0) {
    // poll(2) reports POLLERR and POLLHUP even if they were not requested.
    const std::string names = capture::poll_events(call.revents);
    const bool is_error = names.find("ERR") != std::string::npos;
    text.add(" " + names, is_error ? Paint::error : Paint::strong);
  }
  if (call.ready.size() > 1)
    for (const capture::ReadyDescriptor& ready : call.ready)
      text.add(fmt::format(" {{fd {} {}}}", ready.fd, capture::poll_events(ready.events)));
  if (call.stdin_revents != 0)
    text.add(" stdin " + capture::poll_events(call.stdin_revents), Paint::dim);
}

void add_data(StyledText& text, const Call& call, const Style& style) {
  if (call.result == 0 && reads(call)) text.add(" end of stream", Paint::strong);
  if (call.result <= 0 || call.data.empty()) return;
  text.add(" \"" + call.data + "\"");
  if (std::size_t(call.result) > unescaped_length(call.data)) text.add(ellipsis(style));
}

/// A struct as strace writes it: "{l_onoff=1, l_linger=0}".
std::string members_text(const std::vector<capture::StructMember>& members, const Style& style) {
  constexpr std::size_t kMostMembers = 4;  // TCP_INFO has 32
  if (members.size() > kMostMembers && !style.verbose)
    return "{" + std::string(ellipsis(style)) + "}";
  std::string text;
  for (const auto& [member, value] : members)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", member, value);
  return "{" + text + "}";
}

std::string stored_text(const Call& call, const Style& style) {
  if (const auto* number = std::get_if<std::int64_t>(&call.value)) return std::to_string(*number);
  if (const auto* name = std::get_if<std::string>(&call.value)) return *name;
  if (const auto* members = std::get_if<std::vector<capture::StructMember>>(&call.value))
    return members_text(*members, style);
  return "";
}

void add_answer(StyledText& text, const Call& call, const HostNames& names, const Style& style) {
  if (call.result == -1) {
    text.add(" = ").add("-1 " + base::errno_name(call.error), Paint::error);
    return;
  }
  if (asks_socket_error(call)) {
    text.add(" = ").add(base::errno_name(call.error),
                        call.error == 0 ? Paint::plain : Paint::error);
    return;
  }
  text.add(fmt::format(" = {}", call.result));
  if (const std::string stored = stored_text(call, style); !stored.empty())
    text.add(capture::counts_messages(call.call) ? ", " + stored + " bytes" : " " + stored);
  if (is_poll(call)) add_poll_answer(text, call);
  if (transfers_data(call)) add_data(text, call, style);
  if (call.call.starts_with("accept") && call.remote)
    text.add(" " + names.name(*call.remote), Paint::dim);
}

}  // namespace

void HostNames::learn(const capture::HostUp& up) {
  for (const capture::Interface& interface : up.interfaces)
    for (const std::string& text : interface.addresses)
      // Addresses may carry their prefix length: "10.0.0.1/24".
      if (const auto address = base::IpAddress::parse(text.substr(0, text.find('/'))))
        names_[*address] = up.host;
}

std::string HostNames::name(const capture::Endpoint& endpoint) const {
  const auto found = names_.find(endpoint.address);
  if (found == names_.end()) return endpoint.to_string();
  return fmt::format("{}:{}", found->second, endpoint.port);
}

StyledText call_text(const Call& call, CallView view, const HostNames& names, const Style& style) {
  StyledText text;
  if (view == CallView::returns) text.add(ellipsis(style), Paint::dim).add(" ");
  // The arguments are shown where the call was entered; here the space is for the result.
  const bool repeats = view == CallView::returns && !style.verbose;
  const std::string descriptor = call.fd >= 0 ? std::to_string(call.fd) : "";
  const std::string arguments = repeats ? descriptor : argument_text(call, names, style);
  if (asks_socket_error(call) && !style.verbose)
    text.add("SO_ERROR");
  else
    text.add(fmt::format("{}({})", call.call, arguments));
  if (view == CallView::waits)
    text.add(" ").add(ellipsis(style), Paint::dim);
  else
    add_answer(text, call, names, style);
  if (const StyledText injected = injection_text(call); !injected.empty())
    text.add(" ").add(injected);
  return text;
}

StyledText injection_text(const Call& call) {
  if (call.by_lab) return StyledText("set by tcplab", Paint::action);
  std::string text = call.injected ? "injected" : "";
  if (call.injected_delay.count() != 0)
    text +=
        (text.empty() ? "" : ", ") + ("injected delay of " + base::describe(call.injected_delay));
  return StyledText(text, Paint::action);
}

bool is_boring(const Call& call) {
  constexpr std::array<std::string_view, 12> kSetup = {
      "socket", "setsockopt", "bind",      "getsockname", "getpeername", "fcntl",
      "ioctl",  "getsockopt", "epoll_ctl", "dup",         "dup2",        "dup3"};
  const bool has_failed = call.phase == CallPhase::leave && call.result == -1;
  if (has_failed || call.injected || call.by_lab || call.injected_delay.count() != 0) return false;
  if (asks_socket_error(call)) return false;
  if (is_one_of(call.call, kSetup)) return true;
  if (is_poll(call))
    return call.phase == CallPhase::leave && call.result > 0 && call.revents == 0 &&
           call.ready.empty();
  // Descriptors 0 to 2 are the terminal. Of these calls, only an end of stream is shown.
  if (!transfers_data(call) || call.fd < 0 || call.fd > 2) return false;
  return call.phase == CallPhase::enter || call.result != 0;
}

bool answers_at_once(const Call& call) {
  constexpr std::array<std::string_view, 4> kPrompt = {"shutdown", "close", "getsockopt", "listen"};
  return capture::sends_data(call.call) || is_one_of(call.call, kPrompt);
}

}  // namespace tcplab::reports
