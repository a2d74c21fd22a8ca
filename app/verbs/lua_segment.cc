#include "app/verbs/lua_segment.hh"

#include <fmt/format.h>

#include "app/verbs/lua_tcp_options.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr double kOldest = 86'400.0 * 24;  // seconds; older looks new (RFC 7323 section 5.5)
constexpr std::size_t kLongestPacket = 65'535;
constexpr double kFragmentUnit = 8;

/// IPv4's header has 20 bytes, IPv6's 40 and its fragment header 8.
std::size_t ip_headers(base::Family family) { return family == base::Family::ipv4 ? 20 : 48; }

void check_fragments(lua_State* lua) {
  lua_getfield(lua, -1, "fragment_size");
  const double size = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  if (size != kFragmentUnit * static_cast<int>(size / kFragmentUnit))
    refuse_option("fragment_size", "is a multiple of 8 bytes");
}

}  // namespace

std::optional<std::uint32_t> sequence_option(const LuaCall& call, int options, const char* field) {
  const auto value = call.option_number(options, field);
  if (!value) return std::nullopt;
  return header_number(*value);  // allow_options() has checked its range
}

std::uint16_t window_option(const LuaCall& call, int options, std::uint16_t usual) {
  const auto window = call.option_number(options, "window");
  return window ? static_cast<std::uint16_t>(*window) : usual;
}

const LuaTable kSegmentFields = {
    "segment_fields",
    "The fields of a segment. Sequence numbers are relative to the initial ones, unless they "
    "are `absolute`.",
    {{"seq?", "integer", "by default, the next in order", kSequenceRange},
     {"ack?", "integer", "by default, what the receiver expects to be acknowledged",
      kSequenceRange},
     {"window?", "integer", "the value in the header, not scaled; the peer's last by default",
      kField16Range},
     {"urgent?", "integer", "the urgent pointer in the header; 0 by default", kField16Range},
     {"checksum?", "integer", "in the header; the right one by default", kField16Range},
     {"fragment_size?",
      "integer",
      "sends it in IP fragments of this size: bytes, a multiple of 8",
      {8, 65'528}},
     {"age?",
      "number",
      "seconds by which its timestamp is older than the peer's latest",
      {0, kOldest, "seconds"}},
     {"absolute?", "boolean", "true: `seq`, `ack` and `sack` are the numbers in the header"},
     {"options?", "tcp_options"}},
    nullptr,
    check_fragments};

void read_segment_fields(const LuaCall& call, int options, const SegmentUsual& usual,
                         lab::ForgedSegment& segment) {
  const bool is_absolute = call.option_flag(options, "absolute", false);
  const std::uint32_t sender = is_absolute ? 0 : usual.sender_first;
  const std::uint32_t receiver = is_absolute ? 0 : usual.receiver_first;
  if (const auto sequence = sequence_option(call, options, "seq"))
    segment.sequence = sender + *sequence;
  const auto acknowledgment = sequence_option(call, options, "ack");
  if (acknowledgment && (segment.flags & capture::TcpFlags::kAck) != 0)
    segment.acknowledgment = receiver + *acknowledgment;
  segment.window = window_option(call, options, segment.window);
  if (const auto urgent = call.option_number(options, "urgent"))
    segment.urgent_pointer = static_cast<std::uint16_t>(*urgent);
  if (const auto checksum = call.option_number(options, "checksum"))
    segment.checksum = static_cast<std::uint16_t>(*checksum);
  if (const auto size = call.option_number(options, "fragment_size"))
    segment.fragment_size = static_cast<std::size_t>(*size);
  read_tcp_options(call, options, receiver, segment.options, usual.timestamps);
}

void refuse_too_long(const std::string& owner, const netns::NicConfig& nic,
                     const lab::ForgedSegment& segment) {
  const std::size_t headers = lab::headers_of(segment);
  if (segment.fragment_size > 0) {
    const std::size_t room = nic.mtu - ip_headers(segment.to.address.family);
    if (segment.fragment_size > room)
      throw base::UsageError(
          fmt::format("IP fragments of {} bytes do not fit into the MTU of {}'s "
                      "{}, {}: it has room for {}",
                      segment.fragment_size, owner, nic.name, nic.mtu, room));
    if (headers + segment.data.size() <= kLongestPacket) return;
    throw base::UsageError(
        fmt::format("the data has {} bytes; an IP packet has room for at most {}",
                    segment.data.size(), kLongestPacket - headers));
  }
  if (headers + segment.data.size() <= nic.mtu) return;
  throw base::UsageError(fmt::format(
      "the data has {} bytes; one segment to {}'s {} has room for at most {} (its MTU is {}, the "
      "headers take {}): forge several segments",
      segment.data.size(), owner, nic.name, nic.mtu > headers ? nic.mtu - headers : 0, nic.mtu,
      headers));
}

}  // namespace tcplab::app
