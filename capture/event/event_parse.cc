#include <cstdlib>

#include "capture/event/event_json.hh"
#include "capture/event/json_members.hh"

namespace tcplab::capture {

namespace {

int parse_errno(std::string_view key, const std::string& text) {
  constexpr std::string_view kNameless = "errno ";  // base::errno_name() for a number without one
  if (text == "0") return 0;
  if (const int number = base::errno_number(text)) return number;
  if (text.starts_with(kNameless)) return std::atoi(text.c_str() + kNameless.size());
  refuse(key, "is not an error that this system has: " + text);
}

void take_errno(const Members& members, std::string_view key, int& into) {
  if (const std::string* text = members.text(key)) into = parse_errno(key, *text);
}

void take_poll_events(const Members& members, std::string_view key, int& into) {
  const std::string* text = members.text(key);
  if (text == nullptr) return;
  const auto events = parse_poll_events(*text);
  if (!events) refuse(key, "is not a set of poll events: " + *text);
  into = *events;
}

void parse_body(const Members& members, RunStart& run) {
  std::string format;
  int version = 0;
  members.take("format", format);
  if (format != kEventFormat) refuse("format", "is not " + std::string(kEventFormat));
  members.take("version", version);
  if (version != kEventFormatVersion)
    refuse("version", "is " + std::to_string(version) + ", of which this program knows nothing");
  members.take("scenario", run.scenario);
  members.take("title", run.title);
  members.take("asks", run.asks);
  members.take("article", run.article);
  members.take("here", run.here);
  members.take("why", run.why);
  members.take("source", run.source);
  members.take("file", run.file);
  members.take("tags", run.tags);
  members.take("family", run.family);
  members.take("timers", run.timers);
  members.take("kernel", run.kernel);
  members.take("wall_offset", run.wall_offset);
}

Interface parse_interface(const json& value) {
  if (!value.is_object()) refuse("interfaces", "is not a list of objects");
  const Members members(value);
  Interface interface;
  members.take("name", interface.name);
  members.take("mac", interface.mac);
  members.take("addresses", interface.addresses);
  return interface;
}

void parse_body(const Members& members, HostUp& up) {
  members.take("host", up.host);
  members.take("incarnation", up.incarnation);
  const json* interfaces = members.find("interfaces");
  if (interfaces == nullptr) return;
  if (!interfaces->is_array()) refuse("interfaces", "is not a list");
  for (const json& interface : *interfaces) up.interfaces.push_back(parse_interface(interface));
}

void parse_body(const Members& members, Program& program) {
  members.require("change");
  members.take("host", program.host);
  members.take("program", program.program);
  members.take("pid", program.pid);
  members.take("change", program.change);
  members.take("command", program.command);
  members.take("code", program.code);
  members.take("stream", program.stream);
  members.take("text", program.text);
}

void parse_body(const Members& members, Call& call) {
  members.require("call");
  members.require("phase");
  members.take("host", call.host);
  members.take("program", call.program);
  members.take("pid", call.pid);
  members.take("id", call.id);
  members.take("phase", call.phase);
  members.take("call", call.call);
  members.take("fd", call.fd);
  members.take("args", call.arguments);
  members.take("entered", call.entered);
  members.take("result", call.result);
  take_errno(members, "errno", call.error);
  take_errno(members, "value", call.error);
  take_poll_events(members, "revents", call.revents);
  take_poll_events(members, "stdin_revents", call.stdin_revents);
  members.take("data", call.data);
  members.take("local", call.local);
  members.take("remote", call.remote);
}

Socket parse_socket(const json& value) {
  if (!value.is_object()) refuse("socket", "is not an object");
  const Members members(value);
  Socket socket;
  members.take("state", socket.state);
  members.take("local", socket.local);
  members.take("remote", socket.remote);
  members.take("receive_queue", socket.receive_queue);
  members.take("send_queue", socket.send_queue);
  members.take("timer", socket.timer);
  members.take("timer_expires_ms", socket.timer_expires_ms);
  members.take("retransmits", socket.retransmits);
  members.take("inode", socket.inode);
  return socket;
}

void parse_body(const Members& members, State& state) {
  members.require("from");
  members.require("to");
  members.take("host", state.host);
  members.take("local", state.local);
  members.take("remote", state.remote);
  members.take("from", state.from);
  members.take("to", state.to);
  members.take("cause", state.cause);
  members.take("frame", state.frame);
  if (const json* socket = members.find("socket")) state.socket = parse_socket(*socket);
}

void parse_body(const Members& members, Packet& packet) {
  members.require("frame");
  members.require("fate");
  members.take("frame", packet.frame);
  members.take("from", packet.from);
  members.take("to", packet.to);
  members.take("sent", packet.sent);
  members.take("delivered", packet.delivered);
  members.take("fate", packet.fate);
  members.take("why", packet.why);
  members.take("protocol", packet.protocol);
  members.take("source", packet.source);
  members.take("destination", packet.destination);
  members.take("flags", packet.flags);
  members.take("seq", packet.sequence);
  members.take("ack", packet.acknowledgment);
  members.take("window", packet.window);
  members.take("length", packet.length);
  members.take("summary", packet.summary);
}

void parse_body(const Members& members, Flood& flood) {
  members.take("from", flood.from);
  members.take("to", flood.to);
  members.take("frames", flood.frames);
  members.take("bytes", flood.bytes);
  members.take("span", flood.span);
}

void parse_body(const Members& members, Action& action) {
  members.require("verb");
  members.take("host", action.host);
  members.take("verb", action.verb);
  members.take("detail", action.detail);
  members.take("line", action.line);
}

void parse_body(const Members& members, Verdict& verdict) {
  members.require("passed");
  members.take("passed", verdict.passed);
  members.take("expected", verdict.expected);
  members.take("seen", verdict.seen);
  members.take("nearest", verdict.nearest);
  members.take("host", verdict.host);
  members.take("script", verdict.script);
  members.take("line", verdict.line);
  members.take("code", verdict.code);
}

void parse_body(const Members& members, Note& note) { members.take("text", note.text); }

void parse_body(const Members& members, Kernel& kernel) {
  members.require("what");
  members.take("host", kernel.host);
  members.take("what", kernel.what);
  members.take("local", kernel.local);
  members.take("remote", kernel.remote);
  members.take("reason", kernel.reason);
  take_errno(members, "errno", kernel.error);
  members.take("state", kernel.state);
  members.take("frame", kernel.frame);
}

void parse_body(const Members& members, RunEnd& end) {
  members.require("outcome");
  members.take("outcome", end.outcome);
  members.take("reason", end.reason);
  members.take("duration", end.duration);
}

template <typename Kind>
Body parse_kind(const Members& members) {
  Kind body;
  parse_body(members, body);
  return body;
}

struct KindParser {
  std::string_view kind;
  Body (*parse)(const Members& members);
};

constexpr KindParser kParsers[] = {
    {"call", parse_kind<Call>},       {"packet", parse_kind<Packet>},
    {"state", parse_kind<State>},     {"program", parse_kind<Program>},
    {"flood", parse_kind<Flood>},     {"action", parse_kind<Action>},
    {"verdict", parse_kind<Verdict>}, {"note", parse_kind<Note>},
    {"run", parse_kind<RunStart>},    {"host", parse_kind<HostUp>},
    {"kernel", parse_kind<Kernel>},   {"end", parse_kind<RunEnd>},
};

Body parse_any(const Members& members) {
  members.require("kind");
  std::string kind;
  members.take("kind", kind);
  for (const KindParser& parser : kParsers)
    if (parser.kind == kind) return parser.parse(members);
  throw UnknownKind(kind);
}

json parse_object(std::string_view line) {
  try {
    json object = json::parse(line);
    if (!object.is_object()) throw base::UsageError("not a JSON object");
    return object;
  } catch (const json::parse_error& error) {
    throw base::UsageError("not JSON, at byte " + std::to_string(error.byte));
  } catch (const json::out_of_range&) {
    throw base::UsageError("a number in it is too large");  // 1e999: JSON, but no double
  }
}

}  // namespace

UnknownKind::UnknownKind(std::string_view kind)
    : UsageError("the kind \"" + std::string(kind) + "\" is not known") {}

Event parse_event(std::string_view line) {
  const json object = parse_object(line);
  const Members members(object);
  Event event;
  members.require("t");
  members.take("n", event.number);
  members.take("t", event.at);
  event.body = parse_any(members);
  return event;
}

}  // namespace tcplab::capture
