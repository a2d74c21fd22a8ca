#include "app/verbs/lua_forge.hh"

#include <algorithm>
#include <cmath>

#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_segment.hh"
#include "app/verbs/lua_tcp_options.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using capture::EndNumbers;
using capture::TcpFlags;

constexpr std::size_t kEthernetHeaderSize = 14;
constexpr std::uint16_t kUsualWindow = 0xffff;
constexpr const char* kHasMtu = "fragmentation-needed";
constexpr netns::MacAddress kStranger{{0x02, 0xff, 0, 0, 0, 1}};  // of no host of the run

netns::MacAddress mac(const capture::MacBytes& bytes) { return {bytes}; }

const LuaTable kForgeOptions = {
    "forge_options",
    "",
    {{"to", "host"},
     {"from", "host|ip_address", "a host or any address"},
     {"source_port", "integer", "", kPortRange},
     {"port", "integer", "", kPortRange},
     {"flags", "tcp_flags", "letters of F, S, R, P, A, U, E, W"},
     {"seq?", "integer", "the value in the header; 0 by default", kSequenceRange},
     {"ack?", "integer", "", kSequenceRange},
     {"window?", "integer", "", kField16Range},
     {"data?", "string"},
     {"options?", "tcp_options"},
     {"faults?", "boolean", "false: no fault acts on it"}}};

/// Whether a family has the error is known in a run.
void check_error(const std::string& name) {
  try {
    lab::icmp_error(base::Family::ipv4, name);
  } catch (const base::UsageError&) {
    lab::icmp_error(base::Family::ipv6, name);
  }
}

void check_address(const std::string& text) {
  if (!base::IpAddress::parse(text))
    throw base::UsageError("\"" + text + "\" is not an IPv4 or IPv6 address");
}

/// "fragmentation-needed" has an MTU, and no other error has one.
void check_mtu(lua_State* lua) {
  const int top = lua_gettop(lua);
  const bool has_mtu = lua_getfield(lua, top, "mtu") != LUA_TNIL;
  const bool is_text = lua_getfield(lua, top, "error") == LUA_TSTRING;
  const std::string error = is_text ? lua_tostring(lua, -1) : "";
  lua_settop(lua, top);
  if (has_mtu && error != kHasMtu)
    throw base::UsageError("only \"fragmentation-needed\" has an `mtu`");
  if (!has_mtu && error == kHasMtu)
    throw base::UsageError("option `mtu` is missing: \"fragmentation-needed\" has one");
}

const LuaTable kIcmpOptions = {
    "icmp_options",
    "",
    {{"error", "icmp_error"},
     {"about", "connection|event"},
     {"from?", "host|ip_address", "for example a router; by default the destination of the packet"},
     {"to?", "host", "by default the sender of the packet"},
     {"mtu?", "integer", "for \"fragmentation-needed\"", {68, 0xffff}},
     {"seq?", "integer", "of the quoted segment; by default the oldest unacknowledged one",
      kSequenceRange},
     {"faults?", "boolean", "false: no fault acts on it"}},
    nullptr,
    check_mtu};

/// A field of the options that is an object of class T; null if it is missing or something else.
template <typename T>
T* object_option(const LuaCall& call, const char* field) {
  lua_getfield(call.lua, 2, field);
  T* found = static_cast<T*>(luaL_testudata(call.lua, -1, T::kLuaName));
  lua_pop(call.lua, 1);  // the options keep it
  return found;
}

/// `from = kang` or `from = "10.0.0.77"`; empty if it is missing.
std::optional<base::IpAddress> address_option(const LuaCall& call, const char* field) {
  if (!call.has_option(1, field)) return std::nullopt;
  if (const auto* host = object_option<LuaHost>(call, field)) return host->host->address();
  const std::string text = call.option_text(1, field).value_or("");
  const auto address = base::IpAddress::parse(text);
  const base::Family family = context_of(call).laboratory().config().family;
  if (!address || address->family != family)
    throw base::UsageError(std::string("option `") + field + "`: \"" + text + "\" is not an IPv" +
                           (family == base::Family::ipv4 ? "4" : "6") + " address");
  return address;
}

std::uint16_t port_option(const LuaCall& call, const char* field) {
  const auto port = call.option_number(1, field);
  if (!port) refuse_option(field, "is missing; it is a port, a whole number from 1 to 65535");
  return static_cast<std::uint16_t>(*port);
}

bool is_on_link(const netns::InterfaceAddress& own, const base::IpAddress& other) {
  if (own.address.family != other.family) return false;
  for (unsigned bit = 0; bit < own.prefix_length; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> bit % 8);
    if (((own.address.bytes[bit / 8] ^ other.bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

const netns::NicConfig* nic_towards(const lab::LabHost& host, const base::IpAddress& other) {
  for (const netns::NicConfig& nic : host.config().nics)
    for (const netns::InterfaceAddress& own : nic.addresses)
      if (is_on_link(own, other)) return &nic;
  return nullptr;
}

/// The neighbour that the host sends to for that address: the address itself, or a router.
base::IpAddress next_hop(const lab::LabHost& host, const base::IpAddress& other) {
  if (nic_towards(host, other) != nullptr) return other;
  const netns::RouteConfig* best = nullptr;
  for (const netns::RouteConfig& route : host.config().routes) {
    if (route.kind != netns::RouteKind::via) continue;
    if (!is_on_link({route.destination, route.prefix_length}, other)) continue;
    if (best == nullptr || route.prefix_length > best->prefix_length) best = &route;
  }
  return best == nullptr ? other : best->gateway;
}

/// The link addresses of frames from that address: its own, or the router's on the way. An address
/// of no host of the run has a link address of no host.
lab::ForgedLink link_from(const LuaCall& call, const lab::LabHost& to,
                          const base::IpAddress& from) {
  const base::IpAddress neighbour = next_hop(to, from);
  const netns::NicConfig* nic = nic_towards(to, neighbour);
  if (nic == nullptr) return {.from = kStranger, .to = to.config().nics.front().mac};
  const lab::LabHost* sender = context_of(call).laboratory().hosts().find(neighbour);
  const netns::NicConfig* other =
      sender == nullptr ? nullptr : nic_towards(*sender, nic->addresses.front().address);
  return {.from = other == nullptr ? kStranger : other->mac, .to = nic->mac};
}

lab::LabHost& receiver(const LuaCall& call) {
  const auto* host = object_option<LuaHost>(call, "to");
  if (host == nullptr)
    throw base::UsageError("option `to` is the host that receives it: to = kang");
  return *host->host;
}

lab::ForgedSegment segment_of(const LuaCall& call, const lab::LabHost& to) {
  const auto flags = call.option_text(1, "flags");
  if (!flags) throw base::UsageError("option `flags` is missing: flags = \"S\", or \"\" for none");
  const auto from = address_option(call, "from");
  if (!from) throw base::UsageError("option `from` is a host or an address: from = \"10.0.0.77\"");
  lab::ForgedSegment segment;
  segment.link = link_from(call, to, *from);
  segment.from = {*from, port_option(call, "source_port")};
  segment.to = {to.address(), port_option(call, "port")};
  segment.flags = lab::parse_tcp_flags(*flags);
  segment.sequence = sequence_option(call, 1, "seq").value_or(0);
  segment.acknowledgment = sequence_option(call, 1, "ack").value_or(0);
  segment.window = window_option(call, 1, kUsualWindow);
  read_tcp_options(call, 1, 0, segment.options);
  segment.data = call.option_text(1, "data").value_or("");
  return segment;
}

/// The packet that an ICMP error quotes, its sender, and the link addresses of the error.
struct QuotedSource {
  lab::LabHost* host = nullptr;
  std::vector<std::uint8_t> packet;
  lab::ForgedLink link;
  base::IpAddress destination;
};

QuotedSource about_connection(const LuaCall& call, const LuaConnection& connection) {
  // From the oldest unacknowledged octet: hosts check it (RFC 5927 section 4.1).
  const EndNumbers& end = numbers_of(connection);
  lab::ForgedSegment segment;
  segment.from = connection.key.local;
  segment.to = connection.key.remote;
  segment.sequence = end.irs ? end.snd_una : end.iss;
  if (const auto sequence = sequence_option(call, 1, "seq")) segment.sequence = end.iss + *sequence;
  segment.acknowledgment = end.irs ? end.rcv_nxt : 0;
  segment.flags = end.irs ? TcpFlags::kAck : TcpFlags::kSyn;
  std::vector<std::uint8_t> frame = lab::forge(segment);
  frame.erase(frame.begin(), frame.begin() + kEthernetHeaderSize);
  return {connection.host, std::move(frame), link_from_peer(connection),
          connection.key.remote.address};
}

/// From a packet event of lab:expect_packet: its number finds the frame.
QuotedSource about_packet(const LuaCall& call) {
  lua_getfield(call.lua, 2, "about");
  const bool is_event = lua_istable(call.lua, -1);
  if (is_event) lua_getfield(call.lua, -1, "frame");
  const lua_Integer number = is_event ? lua_tointeger(call.lua, -1) : 0;
  lua_pop(call.lua, is_event ? 2 : 1);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  const lab::KeptFrame* kept =
      laboratory.network().frames().frame(static_cast<std::uint64_t>(number));
  const netns::Bytes frame = kept == nullptr ? netns::Bytes{} : netns::Bytes{kept->bytes};
  const capture::DecodedFrame decoded = capture::decode(frame);
  if (!decoded.ip)
    throw base::UsageError(
        "option `about` is a connection (lab:connection) or a packet (lab:expect_packet)");
  lab::LabHost* sender = laboratory.hosts().find(decoded.ip->source);
  if (sender == nullptr)
    throw base::UsageError("option `about`: no host of this run has sent that packet");
  return {sender,
          {frame.begin() + kEthernetHeaderSize, frame.end()},
          {.from = mac(decoded.ethernet->destination), .to = mac(decoded.ethernet->source)},
          decoded.ip->destination};
}

QuotedSource icmp_subject(const LuaCall& call) {
  if (const auto* connection = object_option<LuaConnection>(call, "about"))
    return about_connection(call, *connection);
  return about_packet(call);
}

std::uint32_t mtu_option(const LuaCall& call, const lab::IcmpTypeCode& error, base::Family family) {
  const auto mtu = call.option_number(1, "mtu");
  if (!error.has_mtu) return 0;
  if (!mtu || *mtu != std::floor(*mtu) || *mtu < lab::lowest_mtu(family) || *mtu > 0xffff)
    throw base::UsageError("option `mtu` is a whole number from " +
                           std::to_string(lab::lowest_mtu(family)) + " to 65535 on IPv" +
                           (family == base::Family::ipv4 ? "4" : "6"));
  return static_cast<std::uint32_t>(*mtu);
}

}  // namespace

const EndNumbers& numbers_of(const LuaConnection& connection) {
  const EndNumbers* end =
      connection.host->numbers.find({connection.key.local, connection.key.remote});
  if (end == nullptr) throw base::LabError("the numbers of " + title(connection) + " are lost");
  return *end;
}

std::string title(const LuaConnection& connection) {
  return connection.host->name() + "'s connection " + connection.key.local.to_string() + " - " +
         connection.key.remote.to_string();
}

lab::ForgedLink link_from_peer(const LuaConnection& connection) {
  const EndNumbers& end = numbers_of(connection);
  return {.from = mac(end.next_hop), .to = mac(end.mac)};
}

void send(const LuaCall& call, int options, const ForgedFrame& frame) {
  ScriptContext& context = context_of(call);
  const lab::LabHost* sender = context.laboratory().hosts().find(frame.from);
  const std::string name = sender == nullptr ? "" : sender->name();
  const lab::Forgery forgery{.from = name,
                             .meets_faults = call.option_flag(options, "faults", true)};
  context.act({.host = frame.to.name(),
               .verb = capture::ActionVerb::forge,
               .text = frame.detail,
               .from = name.empty() ? frame.from.to_string() : name,
               .line = call.line()});
  context.waiter().cursors().move("packet", context.laboratory().timeline().last());
  for (const auto& bytes : frame.frames)
    context.laboratory().network().forge(frame.to, forgery, bytes);
}

namespace {

/// The NIC that is to receive the segment.
const netns::NicConfig& receiving_nic(const lab::LabHost& to, const lab::ForgedSegment& segment) {
  const auto& nics = to.config().nics;
  const auto found = std::ranges::find(nics, segment.link.to, &netns::NicConfig::mac);
  return found == nics.end() ? nics.front() : *found;
}

}  // namespace

lab::ForgedLink link_towards(const LuaCall& call, const lab::LabHost& from,
                             const base::IpAddress& to) {
  const base::IpAddress neighbour = next_hop(from, to);
  const netns::NicConfig* nic = nic_towards(from, neighbour);
  const netns::NicConfig& own = nic == nullptr ? from.config().nics.front() : *nic;
  const lab::LabHost* receiver = context_of(call).laboratory().hosts().find(neighbour);
  const netns::NicConfig* other =
      receiver == nullptr ? nullptr : nic_towards(*receiver, own.addresses.front().address);
  return {.from = own.mac, .to = other == nullptr ? kStranger : other->mac};
}

void send(const LuaCall& call, int options, lab::LabHost& to, const lab::ForgedSegment& segment,
          const std::string& detail) {
  refuse_too_long(to.name(), receiving_nic(to, segment), segment);
  send(call, options, {to, segment.from.address, detail, lab::forge_frames(segment)});
}

namespace {

int lab_forge(LuaCall& call) {
  call.allow_options(1, kForgeOptions);
  if (!call.has(1)) throw base::UsageError("lab:forge wants a table of options: lab:forge{ ... }");
  lab::LabHost& to = receiver(call);
  const lab::ForgedSegment segment = segment_of(call, to);
  send(
      call, 1, to, segment,
      "flags " + capture::tcp_flags(segment.flags) + " to port " + std::to_string(segment.to.port));
  return call.push_nothing();
}

int lab_icmp(LuaCall& call) {
  call.allow_options(1, kIcmpOptions);
  if (!call.has(1)) throw base::UsageError("lab:icmp wants a table of options: lab:icmp{ ... }");
  const base::Family family = context_of(call).laboratory().config().family;
  const std::string name = call.option_text(1, "error").value_or("");
  lab::ForgedIcmp message;
  message.error = lab::icmp_error(family, name);
  message.mtu = mtu_option(call, message.error, family);
  const QuotedSource subject = icmp_subject(call);
  lab::LabHost& to = call.has_option(1, "to") ? receiver(call) : *subject.host;
  message.from = address_option(call, "from").value_or(subject.destination);
  message.to = to.address();
  message.link = &to == subject.host ? subject.link : link_from(call, to, message.from);
  message.about = subject.packet;
  send(call, 1, {to, message.from, "ICMP " + name, {lab::forge(message)}});
  return call.push_nothing();
}

}  // namespace

LuaModule forge_module() {
  const auto check_flags = [](const std::string& letters) { lab::parse_tcp_flags(letters); };
  return {
      .classes = {lua_class<LuaLab>({{"forge",
                                      lab_forge,
                                      "Forges a segment of no connection, and sends it to a host.",
                                      {{"options", "forge_options"}}},
                                     {"icmp",
                                      lab_icmp,
                                      "Forges an ICMP error, and sends it to a host.",
                                      {{"options", "icmp_options"}}}})},
      .tables = {&kForgeOptions, &kIcmpOptions, &kTcpOptions},
      .words = {{"icmp_error",
                 {"host-unreachable", "net-unreachable", "port-unreachable", "protocol-unreachable",
                  "admin-prohibited", "fragmentation-needed", "time-exceeded", "parameter-problem"},
                 true,
                 check_error},
                {.name = "tcp_flags", .has_others = true, .check = check_flags},
                {.name = "ip_address", .has_others = true, .check = check_address}}};
}

}  // namespace tcplab::app
