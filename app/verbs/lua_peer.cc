// Peers in scripts: lab:peer, and how a connection of a peer begins.
#include "app/verbs/lua_peer.hh"

#include "app/script/kept_value.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_forge.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_segment.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using capture::TcpFlags;

constexpr std::uint16_t kSynAck = TcpFlags::kSyn | TcpFlags::kAck;

const LuaTable kPeerEndOptions = {
    "peer_end_options",
    "",
    {{"port", "integer", "", kPortRange},
     {"iss?", "integer", "its initial sequence number, as in the header", kSequenceRange}}};

const LuaTable kPeerOpenOptions = {
    "peer_open_options",
    "",
    {{"source_port?", "integer", "from 40000 up by default", kPortRange}},
    &kPeerEndOptions};

const LuaTable kHandshakeOptions = {
    "handshake_options",
    "",
    {{"window?", "integer", "the value in the header, not scaled; 65535 by default", kField16Range},
     {"options?", "tcp_options", "of its SYN; by default the MSS that fits the MTU"},
     {"within?", "number", "seconds; 5 by default", kSpanRange}},
    &kPeerEndOptions};

const LuaTable kPeerConnectOptions = {
    "peer_connect_options",
    "",
    {{"source_port?", "integer", "from 40000 up by default", kPortRange}},
    &kHandshakeOptions};

const LuaTable kSynOptions = {"syn_options",
                              "",
                              {{"within?", "number", "seconds; 5 by default", kSpanRange}},
                              &kPeerEndOptions};

constexpr const char* kNoPort = "option `port` is missing; it is a whole number from 1 to 65535";

LuaPeer& self_peer(LuaCall& call) { return call.self<LuaPeer>(); }

std::uint16_t wanted_port(const LuaCall& call, int options) {
  const auto port = call.option_number(options, "port");
  if (!port) throw base::UsageError(kNoPort);
  return static_cast<std::uint16_t>(*port);
}

base::nanoseconds patience(const LuaCall& call, int options) {
  const auto within = call.option_number(options, "within");
  return within ? base::from_seconds(*within) : kPatience;
}

LuaPeerConnection opened(LuaCall& call, lab::LabHost& host) {
  lab::LabHost& peer = *self_peer(call).host;
  if (&host == &peer) throw base::UsageError(peer.name() + " cannot connect to itself");
  const base::IpAddress to = peer.address_of(host);
  const std::uint16_t port = wanted_port(call, 2);
  const auto source = call.option_number(2, "source_port");
  const capture::FlowKey flow{
      {peer.address(), source ? static_cast<std::uint16_t>(*source) : peer.peer().next_port()},
      {to, port}};
  LuaPeerConnection made{
      &peer,
      {peer.peer().open(flow, link_towards(call, peer, to), sequence_option(call, 2, "iss")),
       peer.name(), host.name()}};
  ScriptContext& context = context_of(call);
  context.waiter().cursors().move(made.ends.stream(), context.laboratory().timeline().last());
  return made;
}

int peer_open(LuaCall& call) {
  lab::LabHost& host = *call.object<LuaHost>(1, "the host").host;
  call.allow_options(2, kPeerOpenOptions);
  return push_object(call.lua, opened(call, host));
}

/// Waits for the segment of a handshake, and then does what `then` does.
int await_segment(ScriptContext& context, const PeerEnds& ends, base::nanoseconds within, int line,
                  const SegmentPattern& pattern, ScriptContext::Then then) {
  return context.suspend_until(
      std::make_unique<SegmentWait>(context.laboratory().clock().now() + within, within, ends,
                                    pattern, false),
      line, std::move(then));
}

int peer_connect(LuaCall& call) {
  lab::LabHost& host = *call.object<LuaHost>(1, "the host").host;
  call.allow_options(2, kPeerConnectOptions);
  const LuaPeerConnection made = opened(call, host);
  send_segment(call, 2, made, TcpFlags::kSyn);
  return await_segment(context_of(call), made.ends, patience(call, 2), call.line(),
                       {.flags = kSynAck, .acknowledgment = 1}, [made](lua_State* lua) {
                         send_segment(LuaCall(lua, true), made, TcpFlags::kAck);
                         return push_object(lua, made);
                       });
}

/// The beginning of a connection that a host opens.
struct SynWait {
  lab::LabHost* peer;
  std::uint16_t port;
  std::optional<std::uint32_t> iss;
  std::shared_ptr<lab::PeerConnection> taken{};

  Condition::Status look() {
    if (!taken) taken = peer->peer().take_syn(port, iss);
    return {.holds = taken != nullptr, .seen = taken ? "it came" : "none came"};
  }

  LuaPeerConnection connection(ScriptContext& context) const {
    const auto* from = context.laboratory().hosts().find(taken->flow().destination.address);
    return {peer, {taken, peer->name(), from == nullptr ? "a host" : from->name()}};
  }
};

/// Waits for a SYN. `then` gets the connection, whose next segment is that SYN.
template <typename Then>
int await_syn(LuaCall& call, base::nanoseconds within, Then then) {
  const auto wait = std::make_shared<SynWait>(
      SynWait{self_peer(call).host, wanted_port(call, 1), sequence_option(call, 1, "iss")});
  ScriptContext& context = context_of(call);
  auto condition = context.condition(
      within, wait->peer->name() + " gets a SYN to port " + std::to_string(wait->port),
      [wait] { return wait->look(); });
  condition->host = wait->peer->name();
  return context.suspend_until(
      std::move(condition), call.line(),
      [wait, then, &context](lua_State* lua) { return then(lua, wait->connection(context)); });
}

int peer_expect_syn(LuaCall& call) {
  call.allow_options(1, kSynOptions);
  return await_syn(call, patience(call, 1), [](lua_State* lua, const LuaPeerConnection& made) {
    made.ends.connection->expect_next();
    return push_object(lua, made);
  });
}

int peer_accept(LuaCall& call) {
  call.allow_options(1, kHandshakeOptions);
  const base::nanoseconds within = patience(call, 1);
  const KeptValue options(call.lua, 2);
  return await_syn(call, within,
                   [&context = context_of(call), within, options, line = call.line()](
                       lua_State* lua, const LuaPeerConnection& made) {
                     made.ends.connection->expect_next();
                     options.push(lua);
                     send_segment(LuaCall(lua, false), lua_gettop(lua), made, kSynAck);
                     lua_pop(lua, 1);
                     return await_segment(
                         context, made.ends, within, line,
                         {.flags = TcpFlags::kAck, .acknowledgment = 1, .length = 0},
                         [made](lua_State* thread) { return push_object(thread, made); });
                   });
}

int lab_peer(LuaCall& call) {
  lab::LabHost& host = *call.object<LuaHost>(1, "the host").host;
  host.peer();  // says it if the host is none
  return push_object(call.lua, LuaPeer{&host});
}

std::vector<LuaVerb> peer_verbs() {
  return {
      {"connect",
       peer_connect,
       "Opens a connection with a handshake: sends a SYN, expects the SYN-ACK, acknowledges it.",
       {{"host", "host"}, {"options", "peer_connect_options"}},
       {"peer_connection"}},
      {"accept",
       peer_accept,
       "Takes a connection with a handshake: expects a SYN, sends a SYN-ACK, expects the ACK.",
       {{"options", "handshake_options"}},
       {"peer_connection"}},
      {"open",
       peer_open,
       "Begins a connection to a host, and sends nothing yet.",
       {{"host", "host"}, {"options", "peer_open_options"}},
       {"peer_connection"}},
      {"expect_syn",
       peer_expect_syn,
       "Waits for a SYN to a port, and answers nothing yet.",
       {{"options", "syn_options"}},
       {"peer_connection"}}};
}

}  // namespace

LuaModule peer_module() {
  LuaClass peer = lua_class<LuaPeer>(peer_verbs());
  peer.doc = "A host without a kernel: the script is its end of every connection.";
  return {.classes = {lua_class<LuaLab>({{"peer",
                                          lab_peer,
                                          "Returns the scripted end of a host that has no kernel "
                                          "(option `peer` of lab:pair).",
                                          {{"host", "host"}},
                                          {"peer"}}}),
                      peer},
          .tables = {&kPeerEndOptions, &kPeerOpenOptions, &kHandshakeOptions, &kPeerConnectOptions,
                     &kSynOptions}};
}

}  // namespace tcplab::app
