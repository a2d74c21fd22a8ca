// The connections of a peer in scripts: the segments that the script sends, and those that it
// expects.
#include <chrono>
#include <cmath>

#include "app/script/script_context.hh"
#include "app/verbs/lua_forge.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_peer.hh"
#include "app/verbs/lua_segment.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using capture::TcpFlags;

const LuaTable kPeerSegmentOptions = {
    "peer_segment_options",
    "The fields of a segment that a peer sends. A segment without `seq` begins where the last one "
    "without `seq` ended.",
    {},
    &kSegmentFields};

const LuaTable kAnyPeerSegmentOptions = {
    "any_peer_segment_options",
    "",
    {{"flags", "tcp_flags", "letters of F, S, R, P, A, U, E, W"}, {"data?", "string"}},
    &kPeerSegmentOptions};

/// MTU less the headers of IP and TCP (RFC 9293 section 3.7.1).
std::uint16_t usual_mss(const lab::LabHost& host) {
  const netns::NicConfig& nic = host.config().nics.front();
  const bool is_ipv4 = host.address().family == base::Family::ipv4;
  return static_cast<std::uint16_t>(nic.mtu - (is_ipv4 ? 40 : 60));
}

LuaPeerConnection& self(LuaCall& call) { return call.self<LuaPeerConnection>(); }

void put_on_wire(const LuaCall& call, const LuaPeerConnection& from,
                 const lab::ForgedSegment& segment, bool is_next) {
  lab::LabHost& host = *from.host;
  refuse_too_long(host.name(), host.config().nics.front(), segment);
  for (const auto& frame : lab::forge_frames(segment)) host.machine().send_frame(frame);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  from.ends.connection->sent(segment, laboratory.clock().now(), is_next);
  laboratory.network().pump();
}

int send_with(LuaCall& call, std::uint16_t flags) {
  call.allow_options(1, kPeerSegmentOptions);
  send_segment(call, 1, self(call), flags);
  return call.push_self();
}

int connection_syn(LuaCall& call) { return send_with(call, TcpFlags::kSyn); }

int connection_fin(LuaCall& call) { return send_with(call, TcpFlags::kFin | TcpFlags::kAck); }

int connection_rst(LuaCall& call) { return send_with(call, TcpFlags::kRst | TcpFlags::kAck); }

int connection_ack(LuaCall& call) { return send_with(call, TcpFlags::kAck); }

int connection_data(LuaCall& call) {
  const std::string data = call.text(1, "the data");
  call.allow_options(2, kPeerSegmentOptions);
  send_segment(call, 2, self(call), TcpFlags::kPush | TcpFlags::kAck, data);
  return call.push_self();
}

int connection_segment(LuaCall& call) {
  call.allow_options(1, kAnyPeerSegmentOptions);
  const auto flags = call.option_text(1, "flags");
  if (!flags)
    throw base::UsageError("conn:segment wants its flags: conn:segment{ flags = \"SA\" }");
  send_segment(call, 1, self(call), lab::parse_tcp_flags(*flags),
               call.option_text(1, "data").value_or(""));
  return call.push_self();
}

int connection_expect(LuaCall& call) {
  const LuaPeerConnection& connection = self(call);
  SegmentPattern pattern = segment_pattern(call, 1);
  const bool skips = call.has(1) && call.option_flag(1, "skip", false);
  base::nanoseconds within = kPatience;
  if (const auto seconds = call.option_number(1, "within")) within = base::from_seconds(*seconds);
  ScriptContext& context = context_of(call);
  auto wait = std::make_unique<SegmentWait>(context.laboratory().clock().now() + within, within,
                                            connection.ends, std::move(pattern), skips);
  wait->line = call.line();
  return context.suspend(std::move(wait));
}

int connection_expect_nothing(LuaCall& call) {
  const base::nanoseconds span = call.span(1, "for how long");
  ScriptContext& context = context_of(call);
  auto wait = std::make_unique<SilenceWait>(context.laboratory().clock().now() + span, span,
                                            self(call).ends);
  wait->line = call.line();
  return context.suspend(std::move(wait));
}

int connection_acknowledges(LuaCall& call) {
  if (!lua_isboolean(call.lua, 2)) throw base::UsageError("conn:acknowledges wants true or false");
  self(call).ends.connection->acknowledges(lua_toboolean(call.lua, 2) != 0);
  return call.push_self();
}

const lab::PeerNumbers& numbers(LuaCall& call) { return self(call).ends.connection->numbers(); }

int field_iss(LuaCall& call) { return call.push_integer(numbers(call).iss()); }

int field_irs(LuaCall& call) { return call.push_integer(numbers(call).irs().value_or(0)); }

int field_snd_nxt(LuaCall& call) {
  return call.push_integer(numbers(call).snd_nxt() - numbers(call).iss());
}

int field_rcv_nxt(LuaCall& call) {
  const std::uint32_t next = self(call).ends.connection->rcv_nxt();
  return call.push_integer(next - numbers(call).irs().value_or(0));
}

int field_state(LuaCall& call) {
  const capture::FlowKey& flow = self(call).ends.connection->flow();
  const auto& connections = self(call).host->sockets().connections();
  return call.push(std::string(name(connections.state({flow.source, flow.destination}))));
}

int field_local_port(LuaCall& call) {
  return call.push_integer(self(call).ends.connection->flow().source.port);
}

int field_remote_port(LuaCall& call) {
  return call.push_integer(self(call).ends.connection->flow().destination.port);
}

std::vector<LuaVerb> sending_verbs() {
  return {{"syn",
           connection_syn,
           "Sends a SYN.",
           {{"options?", "peer_segment_options"}},
           {"peer_connection"}},
          {"fin",
           connection_fin,
           "Sends a FIN, with ACK.",
           {{"options?", "peer_segment_options"}},
           {"peer_connection"}},
          {"rst",
           connection_rst,
           "Sends a RST, with ACK.",
           {{"options?", "peer_segment_options"}},
           {"peer_connection"}},
          {"ack",
           connection_ack,
           "Sends an acknowledgment without data.",
           {{"options?", "peer_segment_options"}},
           {"peer_connection"}},
          {"data",
           connection_data,
           "Sends data.",
           {{"text", "string"}, {"options?", "peer_segment_options"}},
           {"peer_connection"}},
          {"segment",
           connection_segment,
           "Sends a segment with any flags.",
           {{"options", "any_peer_segment_options"}},
           {"peer_connection"}}};
}

std::vector<LuaVerb> all_verbs() {
  std::vector<LuaVerb> verbs = sending_verbs();
  verbs.push_back({"expect",
                   connection_expect,
                   "Waits for the next segment of the host. Fails if another one comes.",
                   {{"segment?", "expected_segment"}},
                   {"event"}});
  verbs.push_back({"expect_nothing",
                   connection_expect_nothing,
                   "Expects that the host sends nothing for that long.",
                   {{"seconds", "number", "", kSpanRange}}});
  verbs.push_back({"acknowledges",
                   connection_acknowledges,
                   "Makes the peer acknowledge by itself what the host sends; false: it is silent.",
                   {{"by_itself", "boolean"}},
                   {"peer_connection"}});
  return verbs;
}

}  // namespace

void send_segment(const LuaCall& call, int options, const LuaPeerConnection& from,
                  std::uint16_t flags, const std::string& data) {
  const lab::PeerConnection& connection = *from.ends.connection;
  const base::Instant now = context_of(call).laboratory().clock().now();
  std::optional<base::nanoseconds> age;
  if (const auto seconds = call.option_number(options, "age")) age = base::from_seconds(*seconds);
  lab::ForgedSegment segment = connection.next(flags, now, age);
  segment.data = data;
  if ((flags & TcpFlags::kSyn) != 0 && !call.has_option(options, "options"))
    segment.options.mss = usual_mss(*from.host);
  read_segment_fields(call, options,
                      {.sender_first = connection.numbers().iss(),
                       .receiver_first = connection.numbers().irs().value_or(0),
                       .timestamps = connection.timestamps(now)},
                      segment);
  put_on_wire(call, from, segment, !call.has_option(options, "seq"));
}

void send_segment(const LuaCall& call, const LuaPeerConnection& from, std::uint16_t flags) {
  const base::Instant now = context_of(call).laboratory().clock().now();
  put_on_wire(call, from, from.ends.connection->next(flags, now), true);
}

LuaModule peer_connection_module() {
  LuaClass connection = lua_class<LuaPeerConnection>(
      all_verbs(),
      {{"snd_nxt", field_snd_nxt, "integer", "the number of its next segment"},
       {"rcv_nxt", field_rcv_nxt, "integer", "what its next segment acknowledges"},
       {"iss", field_iss, "integer", "its initial sequence number, as in the header"},
       {"irs", field_irs, "integer", "the host's, as in the header; 0 before the host's SYN"},
       {"state", field_state, "tcp_state", "concluded from its frames"},
       {"local_port", field_local_port, "integer"},
       {"remote_port", field_remote_port, "integer"}});
  connection.doc = "A connection of a peer: the script sends its segments.";
  return {.classes = {connection},
          .tables = {&kPeerSegmentOptions, &kAnyPeerSegmentOptions, &kExpectedSegment,
                     &kExpectedOptions}};
}

}  // namespace tcplab::app
