#include "reports/story/icmp_label.hh"

#include <array>

namespace tcplab::reports {

namespace {

/// Words of a summary, and the name of the message. The first match counts.
struct MessageName {
  std::string_view words;
  std::string_view name;
};

// The words of capture/event/describe_icmp.cc.
constexpr std::array kNames = {
    MessageName{"need to frag", "frag needed"},
    MessageName{"packet too big", "too big"},
    MessageName{"admin prohibited", "admin prohibited"},
    MessageName{"unreachable prohibited", "admin prohibited"},
    MessageName{"unreachable route", "no route"},
    MessageName{"unreachable address", "host unreachable"},
    MessageName{"protocol unreachable", "protocol unreachable"},
    MessageName{" port ", "port unreachable"},
    MessageName{"time exceeded", "time exceeded"},
    MessageName{"redirect", "redirect"},
    MessageName{"parameter problem", "parameter problem"},
    MessageName{"echo request", "echo request"},
    MessageName{"echo reply", "echo reply"},
    MessageName{"neighbor solicitation", "neighbor solicitation"},
    MessageName{"neighbor advertisement", "neighbor advert"},
    MessageName{"router solicitation", "router solicitation"},
    MessageName{"router advertisement", "router advert"},
};

std::string_view name_in(const std::string& summary) {
  for (const MessageName& each : kNames)
    if (summary.find(each.words) != std::string::npos) return each.name;
  const bool is_unreachable = summary.find(" unreachable") != std::string::npos;
  if (is_unreachable && summary.starts_with("net ")) return "net unreachable";
  if (is_unreachable && summary.starts_with("host ")) return "host unreachable";
  return is_unreachable ? "unreachable" : "";
}

/// Returns ", mtu 1400" if the message has one.
std::string mtu_in(const std::string& summary) {
  const std::size_t begin = summary.rfind("mtu ");
  if (begin == std::string::npos) return "";
  return ", " + summary.substr(begin, summary.find(')', begin) - begin);
}

}  // namespace

std::string icmp_label(const capture::Packet& packet) {
  if (!packet.protocol.starts_with("ICMP")) return "";
  const std::string_view name = name_in(packet.summary);
  if (name.empty()) return "";
  return packet.protocol + " " + std::string(name) + mtu_in(packet.summary);
}

}  // namespace tcplab::reports
