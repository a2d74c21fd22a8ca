#include "capture/event/event_json.hh"

#include <array>
#include <span>

#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "capture/event/json_text.hh"

namespace tcplab::capture {

namespace {

// In the order of Body's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Body>> kKinds = {
    "run",   "host",   "program", "call", "state",  "packet",
    "flood", "action", "verdict", "note", "kernel", "end"};

void write_strings(std::string& out, std::span<const std::string> values) {
  out += '[';
  for (std::size_t index = 0; index < values.size(); ++index) {
    if (index != 0) out += ',';
    append_json_string(out, values[index]);
  }
  out += ']';
}

void write_body(std::string& out, JsonObject& object, const RunStart& run) {
  object.text("format", kEventFormat);
  object.number("version", kEventFormatVersion);
  object.text("scenario", run.scenario);
  object.text_unless_empty("title", run.title);
  object.text_unless_empty("asks", run.asks);
  object.text_unless_empty("article", run.article);
  object.text_unless_empty("here", run.here);
  object.text_unless_empty("why", run.why);
  object.text_unless_empty("source", run.source);
  object.text_unless_empty("file", run.file);
  if (!run.tags.empty()) {
    object.begin("tags");
    write_strings(out, run.tags);
  }
  object.text("family", word(run.family));
  object.text_unless_empty("timers", run.timers);
  object.text_unless_empty("kernel", run.kernel);
  object.number("wall_offset", run.wall_offset.count());
}

void write_interface(std::string& out, const Interface& interface) {
  JsonObject object(out);
  object.text("name", interface.name);
  object.text_unless_empty("mac", interface.mac);
  object.begin("addresses");
  write_strings(out, interface.addresses);
  object.close();
}

void write_body(std::string& out, JsonObject& object, const HostUp& up) {
  object.text("host", up.host);
  object.number("incarnation", up.incarnation);
  object.begin("interfaces");
  out += '[';
  for (std::size_t index = 0; index < up.interfaces.size(); ++index) {
    if (index != 0) out += ',';
    write_interface(out, up.interfaces[index]);
  }
  out += ']';
}

void write_body(std::string&, JsonObject& object, const Program& program) {
  object.text("host", program.host);
  object.text("program", program.program);
  object.number_unless_zero("pid", program.pid);
  object.text("change", word(program.change));
  object.text_unless_empty("command", program.command);
  if (program.change == ProgramChange::exited || program.change == ProgramChange::killed)
    object.number("code", program.code);
  object.text_unless_empty("stream", program.stream);
  object.text_unless_empty("text", program.text);
}

void write_answer(JsonObject& object, const Call& call) {
  object.number("entered", base::to_nanoseconds(call.entered));
  object.number("result", call.result);
  // getsockopt(2) for SO_ERROR succeeds: what it hands out is a value, not its own failure.
  if (call.error != 0)
    object.text(call.result == -1 ? "errno" : "value", base::errno_name(call.error));
  if (call.revents != 0) object.text("revents", poll_events(call.revents));
  if (call.stdin_revents != 0) object.text("stdin_revents", poll_events(call.stdin_revents));
}

void write_body(std::string&, JsonObject& object, const Call& call) {
  object.text_unless_empty("host", call.host);
  object.text_unless_empty("program", call.program);
  object.number_unless_zero("pid", call.pid);
  object.number_unless_zero("id", call.id);
  object.text("phase", word(call.phase));
  object.text("call", call.call);
  if (call.fd != -1) object.number("fd", call.fd);
  object.text_unless_empty("args", call.arguments);
  if (call.phase == CallPhase::leave) write_answer(object, call);
  object.text_unless_empty("data", call.data);
  if (call.local) object.endpoint("local", *call.local);
  if (call.remote) object.endpoint("remote", *call.remote);
}

void write_socket(std::string& out, const Socket& socket) {
  JsonObject object(out);
  object.text("state", name(socket.state));
  object.endpoint("local", socket.local);
  object.endpoint("remote", socket.remote);
  object.number_unless_zero("receive_queue", socket.receive_queue);
  object.number_unless_zero("send_queue", socket.send_queue);
  object.number_unless_zero("timer", socket.timer);
  object.number_unless_zero("timer_expires_ms", socket.timer_expires_ms);
  object.number_unless_zero("retransmits", socket.retransmits);
  object.number_unless_zero("inode", socket.inode);
  object.close();
}

void write_body(std::string& out, JsonObject& object, const State& state) {
  object.text("host", state.host);
  object.endpoint("local", state.local);
  object.endpoint("remote", state.remote);
  object.text("from", name(state.from));
  object.text("to", name(state.to));
  object.text_unless_empty("cause", state.cause);
  object.number_unless_zero("frame", state.frame);
  if (!state.socket) return;
  object.begin("socket");
  write_socket(out, *state.socket);
}

void endpoint_unless_empty(JsonObject& object, std::string_view key, const Endpoint& endpoint) {
  if (endpoint != Endpoint{}) object.endpoint(key, endpoint);
}

void write_body(std::string&, JsonObject& object, const Packet& packet) {
  object.number("frame", packet.frame);
  object.text_unless_empty("from", packet.from);
  object.text_unless_empty("to", packet.to);
  object.number("sent", base::to_nanoseconds(packet.sent));
  if (packet.delivered) object.number("delivered", base::to_nanoseconds(*packet.delivered));
  object.text("fate", word(packet.fate));
  object.text_unless_empty("why", packet.why);
  object.text_unless_empty("protocol", packet.protocol);
  endpoint_unless_empty(object, "source", packet.source);
  endpoint_unless_empty(object, "destination", packet.destination);
  object.text_unless_empty("flags", packet.flags);
  object.number_unless_zero("seq", packet.sequence);
  object.number_unless_zero("ack", packet.acknowledgment);
  object.number_unless_zero("window", packet.window);
  object.number_unless_zero("length", packet.length);
  object.text_unless_empty("summary", packet.summary);
}

void write_body(std::string&, JsonObject& object, const Flood& flood) {
  object.text("from", flood.from);
  object.text_unless_empty("to", flood.to);
  object.number("frames", flood.frames);
  object.number("bytes", flood.bytes);
  object.number("span", flood.span.count());
}

void write_body(std::string&, JsonObject& object, const Action& action) {
  object.text_unless_empty("host", action.host);
  object.text("verb", action.verb);
  object.text_unless_empty("detail", action.detail);
  object.number_unless_zero("line", action.line);
}

void write_body(std::string&, JsonObject& object, const Verdict& verdict) {
  object.boolean("passed", verdict.passed);
  object.text("expected", verdict.expected);
  object.text_unless_empty("seen", verdict.seen);
  object.text_unless_empty("nearest", verdict.nearest);
  object.text_unless_empty("host", verdict.host);
  object.text_unless_empty("script", verdict.script);
  object.number_unless_zero("line", verdict.line);
  object.text_unless_empty("code", verdict.code);
}

void write_body(std::string&, JsonObject& object, const Note& note) {
  object.text("text", note.text);
}

void write_body(std::string&, JsonObject& object, const Kernel& kernel) {
  object.text("host", kernel.host);
  object.text("what", word(kernel.what));
  endpoint_unless_empty(object, "local", kernel.local);
  endpoint_unless_empty(object, "remote", kernel.remote);
  object.text_unless_empty("reason", kernel.reason);
  if (kernel.error != 0) object.text("errno", base::errno_name(kernel.error));
  if (kernel.state) object.text("state", name(*kernel.state));
  object.number_unless_zero("frame", kernel.frame);
}

void write_body(std::string&, JsonObject& object, const RunEnd& end) {
  object.text("outcome", word(end.outcome));
  object.text_unless_empty("reason", end.reason);
  object.number("duration", end.duration.count());
}

}  // namespace

void append_json(std::string& out, const Event& event) {
  JsonObject object(out);
  object.number_unless_zero("n", event.number);
  object.number("t", base::to_nanoseconds(event.at));
  object.text("kind", kKinds[event.body.index()]);
  std::visit([&](const auto& body) { write_body(out, object, body); }, event.body);
  object.close();
}

std::string to_json_line(const Event& event) {
  std::string line;
  line.reserve(384);  // a packet's line, the longest of the frequent ones, is about 330 bytes
  append_json(line, event);
  return line;
}

}  // namespace tcplab::capture
