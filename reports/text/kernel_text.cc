#include "reports/text/kernel_text.hh"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hh"

namespace tcplab::reports {

namespace {

using capture::Kernel;
using capture::KernelAction;

using Words = std::pair<std::string_view, std::string_view>;

// include/net/dropreason-core.h and include/net/rstreason.h, what they say in a few words. A reason
// that is not here, or that a later kernel has, is shown by its name alone.
constexpr std::array<Words, 44> kReasons = {{
    {"NO_SOCKET", "no socket"},
    {"SOCKET_CLOSE", "the socket closes"},
    {"SOCKET_FILTER", "the socket's filter"},
    {"SOCKET_RCVBUFF", "receive buffer full"},
    {"SOCKET_BACKLOG", "backlog full"},
    {"PROTO_MEM", "TCP's memory is used up"},
    {"NETFILTER_DROP", "firewall"},
    {"PKT_TOO_SMALL", "too short"},
    {"OTHERHOST", "for another host"},
    {"IP_CSUM", "wrong IP checksum"},
    {"IP_RPFILTER", "reverse path filter"},
    {"IP_INNOROUTES", "no route"},
    {"IP_OUTNOROUTES", "no route out"},
    {"IP_INADDRERRORS", "not routable"},
    {"TCP_CSUM", "wrong checksum"},
    {"TCP_FLAGS", "flags that do not fit"},
    {"TCP_ZEROWINDOW", "the window is zero"},
    {"TCP_OLD_DATA", "data that it has"},
    {"TCP_OVERWINDOW", "beyond the window"},
    {"TCP_OFOMERGE", "data that waits already"},
    {"TCP_RFC7323_PAWS", "old timestamp"},
    {"TCP_RFC7323_PAWS_ACK", "ACK with an old timestamp"},
    {"TCP_RFC7323_TW_PAWS", "old timestamp, in TIME_WAIT"},
    {"TCP_RFC7323_TSECR", "timestamp that it never sent"},
    {"TCP_LISTEN_OVERFLOW", "accept queue full"},
    {"TCP_OLD_SEQUENCE", "old sequence number"},
    {"TCP_INVALID_SEQUENCE", "sequence number out of window"},
    {"TCP_INVALID_END_SEQUENCE", "its end is out of window"},
    {"TCP_INVALID_ACK_SEQUENCE", "ACK of the wrong number"},
    {"TCP_RESET", "a RST"},
    {"TCP_INVALID_SYN", "SYN in a connection"},
    {"INVALID_SYN", "SYN in a connection"},
    {"TCP_CLOSE", "the socket is closed"},
    {"TCP_OLD_ACK", "old ACK"},
    {"TCP_TOO_OLD_ACK", "ACK far too old"},
    {"TCP_ACK_UNSENT_DATA", "ACK of what was not sent"},
    {"TCP_ABORT_ON_DATA", "data for nobody"},
    {"TCP_ABORT_ON_CLOSE", "closed with data unread"},
    {"TCP_ABORT_ON_LINGER", "linger time zero or over"},
    {"TCP_ABORT_ON_MEMORY", "no memory for orphans"},
    {"TCP_DISCONNECT_WITH_DATA", "disconnected"},
    {"TCP_KEEPALIVE_TIMEOUT", "keepalive unanswered"},
    {"TCP_STATE", "by its state"},
    {"TCP_MINTTL", "hop limit too low"},
}};

std::string because(const std::string& reason) {
  if (reason.empty() || reason == "NOT_SPECIFIED") return "";
  for (const auto& [name, words] : kReasons)
    if (name == reason) return ", " + std::string(words) + " (" + reason + ")";
  return " (" + reason + ")";
}

std::string failing(const Kernel& kernel) {
  return kernel.error == 0 ? "" : ", and fails: " + base::errno_name(kernel.error);
}

std::string words_of(const Kernel& kernel) {
  switch (kernel.what) {
    case KernelAction::drop:
      return "drops it" + because(kernel.reason);
    case KernelAction::reset:
      return "resets" + because(kernel.reason);
    case KernelAction::reset_received:
      return "takes the RST";
    case KernelAction::error:
      return "error " + base::errno_name(kernel.error);
    case KernelAction::retransmit:
      return "sends again" + failing(kernel);
    case KernelAction::retransmit_synack:
      return "sends its SYN-ACK again" + failing(kernel);
    case KernelAction::bad_checksum:
      return "finds the checksum wrong";
  }
  return "";
}

Paint paint_of(KernelAction action) {
  const bool is_repetition =
      action == KernelAction::retransmit || action == KernelAction::retransmit_synack;
  return is_repetition ? Paint::dim : action == KernelAction::error ? Paint::error : Paint::bad;
}

}  // namespace

StyledText kernel_text(const Kernel& kernel) {
  return StyledText("kernel: " + words_of(kernel), paint_of(kernel.what));
}

}  // namespace tcplab::reports
