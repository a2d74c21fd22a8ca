// Connections in scripts, as they were seen on the wire, and forged segments as if from their
// peers. Sequence numbers in scripts are relative to the initial ones, as on the timeline.
#include <chrono>
#include <cmath>

#include "app/script/script_context.hh"
#include "app/verbs/lua_forge.hh"
#include "app/verbs/lua_modules.hh"
#include "app/verbs/lua_segment.hh"
#include "app/verbs/lua_subject.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using capture::EndNumbers;
using capture::TcpFlags;

constexpr double kTimestampTicks = 1000;  // Linux counts milliseconds (TCP_TS_HZ)
constexpr base::nanoseconds kConnectionPoll = std::chrono::milliseconds(5);

const LuaTable kSegmentOptions = {"segment_options",
                                  "The fields of a forged segment.",
                                  {{"faults?", "boolean", "false: no fault acts on it"}},
                                  &kSegmentFields};

const LuaTable kAnySegmentOptions = {
    "any_segment_options",
    "",
    {{"flags", "tcp_flags", "letters of F, S, R, P, A, U, E, W"}, {"data?", "string"}},
    &kSegmentOptions};

LuaConnection& connection_of(LuaCall& call) { return call.self<LuaConnection>(); }

const EndNumbers& numbers_of(LuaCall& call) { return numbers_of(connection_of(call)); }

capture::TcpState state_of(LuaCall& call) {
  const LuaConnection& connection = connection_of(call);
  return connection.host->sockets().connections().state(connection.key);
}

int field_iss(LuaCall& call) { return call.push_integer(numbers_of(call).iss); }

int field_irs(LuaCall& call) { return call.push_integer(numbers_of(call).irs.value_or(0)); }

int field_snd_nxt(LuaCall& call) {
  return call.push_integer(numbers_of(call).snd_nxt - numbers_of(call).iss);
}

int field_snd_una(LuaCall& call) {
  return call.push_integer(numbers_of(call).snd_una - numbers_of(call).iss);
}

int field_rcv_nxt(LuaCall& call) {
  const EndNumbers& end = numbers_of(call);
  return call.push_integer(end.rcv_nxt - end.irs.value_or(0));
}

int field_rcv_wnd(LuaCall& call) { return call.push_integer(numbers_of(call).rcv_wnd()); }

int field_state(LuaCall& call) { return call.push(std::string(name(state_of(call)))); }

int field_local_port(LuaCall& call) {
  return call.push_integer(connection_of(call).key.local.port);
}

int field_remote_port(LuaCall& call) {
  return call.push_integer(connection_of(call).key.remote.port);
}

/// What the host's kernel says now; nothing without a socket.
std::optional<capture::SocketDetail> detail_of(LuaCall& call) {
  const LuaConnection& connection = connection_of(call);
  return connection.host->sockets().detail(connection.key);
}

/// Pushes what `get` returns for the kernel's socket; nil if there is none.
template <typename Get>
int push_socket(LuaCall& call, Get get) {
  const auto detail = detail_of(call);
  return detail ? call.push_integer(get(detail->socket)) : call.push_nothing();
}

/// The same for what the kernel keeps for sending: not in SYN_RECV and TIME_WAIT.
template <typename Get>
int push_sending(LuaCall& call, Get get) {
  const auto detail = detail_of(call);
  if (!detail || !detail->sending) return call.push_nothing();
  return call.push_integer(get(*detail->sending));
}

template <typename Get>
int push_seconds(LuaCall& call, Get get) {
  const auto detail = detail_of(call);
  if (!detail || !detail->sending) return call.push_nothing();
  return call.push(base::in_seconds(get(*detail->sending)));
}

int field_timer(LuaCall& call) {
  const auto detail = detail_of(call);
  const std::string_view timer = detail ? capture::timer_name(detail->socket) : "";
  return timer.empty() ? call.push_nothing() : call.push(std::string(timer));
}

int field_timer_expires(LuaCall& call) {
  const auto detail = detail_of(call);
  if (!detail || capture::timer_name(detail->socket).empty()) return call.push_nothing();
  const std::chrono::milliseconds left(detail->socket.timer_expires_ms);
  lab::Laboratory& laboratory = context_of(call).laboratory();
  const base::nanoseconds at = laboratory.clock().now() - laboratory.started() + left;
  return call.push(base::in_seconds(at));
}

int field_send_queue(LuaCall& call) {
  return push_socket(call, [](const capture::Socket& socket) { return socket.send_queue; });
}

int field_receive_queue(LuaCall& call) {
  return push_socket(call, [](const capture::Socket& socket) { return socket.receive_queue; });
}

int field_retransmits(LuaCall& call) {
  return push_socket(call, [](const capture::Socket& socket) { return socket.retransmits; });
}

int field_cwnd(LuaCall& call) {
  return push_sending(call, [](const capture::SendingInfo& sending) { return sending.cwnd; });
}

int field_ssthresh(LuaCall& call) {
  return push_sending(call, [](const capture::SendingInfo& sending) { return sending.ssthresh; });
}

int field_rto(LuaCall& call) {
  return push_seconds(call, [](const capture::SendingInfo& sending) { return sending.rto; });
}

int field_srtt(LuaCall& call) {
  return push_seconds(call, [](const capture::SendingInfo& sending) { return sending.rtt; });
}

/// The timestamps that its peer would send now (RFC 7323), or sent `age` seconds ago. Without
/// `age`, a RST has none, as from Linux (tcp_v4_send_reset()).
std::optional<capture::TcpTimestamps> timestamps(LuaCall& call, int options, const EndNumbers& end,
                                                 bool is_reset) {
  const auto wanted = call.option_number(options, "age");
  const double age = wanted.value_or(0);
  if (!end.ts_own || !end.irs || (is_reset && !wanted)) return std::nullopt;
  const auto ticks = static_cast<std::uint32_t>(std::llround(age * kTimestampTicks));
  return capture::TcpTimestamps{.value = end.ts_recent - ticks, .echo_reply = *end.ts_own};
}

std::string shown(const lab::ForgedSegment& segment, const EndNumbers& end) {
  std::string text = "flags " + capture::tcp_flags(segment.flags) + ", seq " +
                     std::to_string(segment.sequence - end.irs.value_or(0));
  if ((segment.flags & TcpFlags::kAck) != 0)
    text += ", ack " + std::to_string(segment.acknowledgment - end.iss);
  if (!segment.data.empty()) text += ", length " + std::to_string(segment.data.size());
  return text;
}

/// A segment as the peer would send it next, changed by the options.
lab::ForgedSegment next_from_peer(LuaCall& call, int options, std::uint16_t flags) {
  const LuaConnection& connection = connection_of(call);
  const EndNumbers& end = numbers_of(call);
  lab::ForgedSegment segment;
  segment.link = link_from_peer(connection);
  segment.from = connection.key.remote;
  segment.to = connection.key.local;
  segment.flags = flags;
  segment.sequence = end.rcv_nxt;
  if ((flags & TcpFlags::kAck) != 0) segment.acknowledgment = end.snd_nxt;
  segment.window = end.peer_window_in_header((flags & TcpFlags::kSyn) != 0).value_or(0xffff);
  segment.options.timestamps = timestamps(call, options, end, (flags & TcpFlags::kRst) != 0);
  read_segment_fields(
      call, options,
      {.sender_first = end.irs.value_or(0),
       .receiver_first = end.iss,
       .timestamps = {.value = end.ts_recent, .echo_reply = end.ts_own.value_or(0)}},
      segment);
  return segment;
}

/// The connection may be gone: its numbers are known as long as the run lasts.
int send_from_peer(LuaCall& call, int options, const lab::ForgedSegment& segment) {
  send(call, options, *connection_of(call).host, segment, shown(segment, numbers_of(call)));
  return call.push_self();
}

int forge_with(LuaCall& call, std::uint16_t flags) {
  call.allow_options(1, kSegmentOptions);
  return send_from_peer(call, 1, next_from_peer(call, 1, flags));
}

/// With ACK, which SYN_SENT requires (RFC 9293 section 3.10.7.3).
int connection_rst(LuaCall& call) { return forge_with(call, TcpFlags::kRst | TcpFlags::kAck); }

int connection_syn(LuaCall& call) { return forge_with(call, TcpFlags::kSyn); }

int connection_fin(LuaCall& call) { return forge_with(call, TcpFlags::kFin | TcpFlags::kAck); }

int connection_ack(LuaCall& call) { return forge_with(call, TcpFlags::kAck); }

int connection_data(LuaCall& call) {
  const std::string data = call.text(1, "the data");
  call.allow_options(2, kSegmentOptions);
  lab::ForgedSegment segment = next_from_peer(call, 2, TcpFlags::kPush | TcpFlags::kAck);
  segment.data = data;
  return send_from_peer(call, 2, segment);
}

int connection_segment(LuaCall& call) {
  call.allow_options(1, kAnySegmentOptions);
  const auto flags = call.option_text(1, "flags");
  if (!flags)
    throw base::UsageError("conn:segment wants its flags: conn:segment{ flags = \"SA\" }");
  lab::ForgedSegment segment = next_from_peer(call, 1, lab::parse_tcp_flags(*flags));
  segment.data = call.option_text(1, "data").value_or("");
  return send_from_peer(call, 1, segment);
}

/// The connection of a program that began last.
std::optional<lab::ConnectionKey> newest_of(const lab::LabHost& host,
                                            const lab::LabProgram& program) {
  std::optional<lab::ConnectionKey> newest;
  std::uint64_t begun = 0;
  for (const lab::ConnectionKey& key : program.sockets().connections()) {
    const EndNumbers* end = host.numbers.find({key.local, key.remote});
    if (end == nullptr || end->begun <= begun) continue;
    begun = end->begun;
    newest = key;
  }
  return newest;
}

/// Whose connection a script asks for.
struct ConnectionOwner {
  lab::LabHost* host = nullptr;
  lab::LabProgram* program = nullptr;  // null: any program of the host

  std::string title() const { return program != nullptr ? program->title() : host->name(); }

  std::optional<lab::ConnectionKey> newest() const {
    if (program != nullptr) return newest_of(*host, *program);
    const auto flow = host->numbers.newest();
    return flow ? std::optional(lab::ConnectionKey{flow->source, flow->destination}) : std::nullopt;
  }
};

/// Tells of its wait only if it was in vain.
class QuietCondition : public Condition {
public:
  using Condition::Condition;

  Decision at_present() override { return remember(Condition::at_present()); }
  Decision at_deadline() override { return remember(Condition::at_deadline()); }
  std::string expected() const override { return is_met_ ? "" : Condition::expected(); }

private:
  Decision remember(Decision decision) {
    is_met_ = decision == Decision::met;
    return decision;
  }

  bool is_met_ = false;
};

/// A program's socket may be in SYN_SENT before its SYN is on the wire.
int wait_for_connection(LuaCall& call, const ConnectionOwner& owner) {
  ScriptContext& context = context_of(call);
  auto seen = std::make_unique<QuietCondition>(
      context.laboratory().clock().now() + kPatience, kPatience,
      owner.title() + " has a connection on the wire", [owner]() -> Condition::Status {
        const bool has_it = owner.newest().has_value();
        return {.holds = has_it, .seen = has_it ? "it has" : "it has none"};
      });
  seen->ask_every = kConnectionPoll;
  seen->host = owner.host->name();
  return context.suspend_until(std::move(seen), call.line(), [owner](lua_State* lua) {
    return push_object(lua, LuaConnection{owner.host, *owner.newest()});
  });
}

int lab_connection(LuaCall& call) {
  ConnectionOwner owner;
  if (const LuaProgram* program = call.find<LuaProgram>(1)) {
    owner.program = program->program;
    owner.host = context_of(call).laboratory().hosts().find(owner.program->host());
  } else {
    owner.host = call.object<LuaHost>(1, "whose connection").host;
  }
  const auto key = owner.newest();
  if (!key) return wait_for_connection(call, owner);
  return push_object(call.lua, LuaConnection{owner.host, *key});
}

std::vector<LuaVerb> segment_verbs() {
  return {
      {"rst",
       connection_rst,
       "Forges a RST, with ACK.",
       {{"options?", "segment_options"}},
       {"connection"}},
      {"syn", connection_syn, "Forges a SYN.", {{"options?", "segment_options"}}, {"connection"}},
      {"fin",
       connection_fin,
       "Forges a FIN, with ACK.",
       {{"options?", "segment_options"}},
       {"connection"}},
      {"ack",
       connection_ack,
       "Forges an acknowledgment without data.",
       {{"options?", "segment_options"}},
       {"connection"}},
      {"data",
       connection_data,
       "Forges data.",
       {{"text", "string"}, {"options?", "segment_options"}},
       {"connection"}},
      {"segment",
       connection_segment,
       "Forges a segment with any flags.",
       {{"options", "any_segment_options"}},
       {"connection"}}};
}

}  // namespace

LuaModule connection_module() {
  LuaClass connection = lua_class<LuaConnection>(
      segment_verbs(),
      {{"snd_nxt", field_snd_nxt, "integer", "the next sequence number that it will send"},
       {"snd_una", field_snd_una, "integer", "the oldest unacknowledged one"},
       {"rcv_nxt", field_rcv_nxt, "integer", "the sequence number that it expects next"},
       {"rcv_wnd", field_rcv_wnd, "integer", "its receive window from there"},
       {"iss", field_iss, "integer", "its initial sequence number, as in the header"},
       {"irs", field_irs, "integer", "its peer's, as in the header; 0 before the peer's SYN"},
       {"state", field_state, "tcp_state"},
       {"timer", field_timer, "tcp_timer", "the timer that runs in its kernel; nil if none"},
       {"timer_expires", field_timer_expires, "number",
        "when it expires, in seconds since the run began; nil if none"},
       {"send_queue", field_send_queue, "integer", "bytes that the peer has not acknowledged"},
       {"receive_queue", field_receive_queue, "integer", "bytes that the program has not read"},
       {"retransmits", field_retransmits, "integer",
        "how often the kernel has repeated the oldest segment, or a probe"},
       {"rto", field_rto, "number", "the retransmission timeout, in seconds"},
       {"srtt", field_srtt, "number", "the smoothed round-trip time, in seconds"},
       {"cwnd", field_cwnd, "integer", "the congestion window, in segments"},
       {"ssthresh", field_ssthresh, "integer", "the slow start threshold, in segments"},
       {"local_port", field_local_port, "integer"},
       {"remote_port", field_remote_port, "integer"}});
  connection.doc =
      "A connection as it was seen on the wire. The segments that its verbs forge arrive at its "
      "host as if from its peer.";
  return {.classes = {lua_class<LuaLab>({{"connection",
                                          lab_connection,
                                          "Returns a connection as it was seen on the wire: the "
                                          "one of that program or host that began last. Waits "
                                          "up to 5 s for the first.",
                                          {{"whose", "program|host"}},
                                          {"connection"}}}),
                      connection},
          .tables = {&kSegmentFields, &kSegmentOptions, &kAnySegmentOptions}};
}

}  // namespace tcplab::app
