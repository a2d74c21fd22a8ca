// The members of every event, listed once: event_json.cc writes them, event_parse.cc reads them.
// docs/events.md explains them.
//
// An archive has these functions. Each takes a key and a reference to a value:
//   required       always written; reading refuses an event without it
//   always         always written; may be missing when read
//   unless_empty   left out if it is empty or zero
//   only_if        written if the condition holds; read if it is there
// and format(), which writes or checks the name and version of the format.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <variant>

#include "capture/event/event.hh"

namespace tcplab::capture {

/// What `kind` says, in the order of Body's alternatives.
inline constexpr std::array<std::string_view, std::variant_size_v<Body>> kKinds = {
    "run",   "host",   "program", "call", "probe",  "state", "packet",    "sending",
    "flood", "action", "verdict", "note", "kernel", "audit", "unchecked", "end"};

template <typename Type, typename Value>
concept Is = std::same_as<std::remove_const_t<Type>, Value>;

/// A number that is written as the name of an errno: "ECONNRESET".
template <typename Number>
struct ErrnoName {
  Number& number;
};
template <typename Number>
ErrnoName(Number&) -> ErrnoName<Number>;

/// What a call stored: the name of an errno for SO_ERROR, else as in StoredValue. A struct is
/// written as an object.
template <typename AnyCall>
struct StoredByCall {
  AnyCall& call;
};
template <typename AnyCall>
StoredByCall(AnyCall&) -> StoredByCall<AnyCall>;

/// Bits that are written as poll(2)'s names: "IN|HUP".
template <typename Number>
struct PollNames {
  Number& bits;
};
template <typename Number>
PollNames(Number&) -> PollNames<Number>;

void fields(auto&& archive, Is<Choice> auto& choice) {
  archive.required("text", choice.text);
  archive.unless_empty("right", choice.right);
  archive.unless_empty("because", choice.because);
}

void fields(auto&& archive, Is<Question> auto& question) {
  archive.required("asks", question.asks);
  archive.always("choices", question.choices);
}

void fields(auto&& archive, Is<RunStart> auto& run) {
  archive.format();
  archive.always("scenario", run.scenario);
  archive.unless_empty("title", run.title);
  archive.unless_empty("asks", run.asks);
  archive.unless_empty("article", run.article);
  archive.unless_empty("here", run.here);
  archive.unless_empty("why", run.why);
  archive.unless_empty("source", run.source);
  archive.unless_empty("file", run.file);
  archive.unless_empty("tags", run.tags);
  archive.always("family", run.family);
  archive.unless_empty("timers", run.timers);
  archive.unless_empty("kernel", run.kernel);
  archive.unless_empty("stacks", run.stacks);
  archive.unless_empty("machine", run.machine);
  archive.always("wall_offset", run.wall_offset);
  archive.unless_empty("script", run.script);
  archive.unless_empty("quiz", run.quiz);
}

void fields(auto&& archive, Is<Interface> auto& interface) {
  archive.always("name", interface.name);
  archive.unless_empty("mac", interface.mac);
  archive.always("addresses", interface.addresses);
}

void fields(auto&& archive, Is<HostUp> auto& up) {
  archive.always("host", up.host);
  archive.always("incarnation", up.incarnation);
  archive.always("interfaces", up.interfaces);
  archive.unless_empty("peer", up.is_peer);
}

void fields(auto&& archive, Is<Program> auto& program) {
  archive.always("host", program.host);
  archive.always("program", program.program);
  archive.unless_empty("pid", program.pid);
  archive.required("change", program.change);
  archive.unless_empty("command", program.command);
  const bool has_ended =
      program.change == ProgramChange::exited || program.change == ProgramChange::killed;
  archive.only_if(has_ended, "code", program.code);
  archive.unless_empty("stream", program.stream);
  archive.unless_empty("text", program.text);
}

void fields(auto&& archive, Is<ReadyDescriptor> auto& ready) {
  archive.required("fd", ready.fd);
  archive.required("events", PollNames{ready.events});
}

/// What a call returned. getsockopt(2) for SO_ERROR succeeds: the error that it hands out is a
/// value, not its own failure.
void answer_fields(auto&& archive, Is<Call> auto& call) {
  const bool returned = call.phase == CallPhase::leave;
  const bool has_error = returned && call.error != 0;
  archive.only_if(returned, "entered", call.entered);
  archive.only_if(returned, "result", call.result);
  archive.only_if(has_error && call.result == -1, "errno", ErrnoName{call.error});
  const bool has_value = has_error || !std::holds_alternative<std::monostate>(call.value);
  archive.only_if(has_value && call.result != -1, "value", StoredByCall{call});
  archive.only_if(returned && call.revents != 0, "revents", PollNames{call.revents});
  archive.only_if(returned && call.stdin_revents != 0, "stdin_revents",
                  PollNames{call.stdin_revents});
}

void fields(auto&& archive, Is<Call> auto& call) {
  archive.unless_empty("host", call.host);
  archive.unless_empty("program", call.program);
  archive.unless_empty("pid", call.pid);
  archive.unless_empty("tid", call.tid);
  archive.unless_empty("id", call.id);
  archive.required("phase", call.phase);
  archive.required("call", call.call);
  archive.only_if(call.fd != -1, "fd", call.fd);
  archive.only_if(call.source_fd != -1, "source_fd", call.source_fd);
  archive.unless_empty("args", call.arguments);
  answer_fields(archive, call);
  archive.unless_empty("ready", call.ready);
  archive.unless_empty("data", call.data);
  archive.unless_empty("local", call.local);
  archive.unless_empty("remote", call.remote);
  archive.unless_empty("stack", call.stack);
  archive.unless_empty("injected", call.injected);
  archive.unless_empty("injected_delay", call.injected_delay);
  archive.unless_empty("by_lab", call.by_lab);
}

void fields(auto&& archive, Is<ProbeArgument> auto& argument) {
  archive.only_if(argument.unread.empty(), "value", argument.value);
  archive.unless_empty("text", argument.text);
  archive.unless_empty("cut", argument.is_cut);
  archive.unless_empty("unread", argument.unread);
}

void fields(auto&& archive, Is<Probe> auto& probe) {
  archive.unless_empty("host", probe.host);
  archive.unless_empty("program", probe.program);
  archive.unless_empty("pid", probe.pid);
  archive.unless_empty("tid", probe.tid);
  archive.required("provider", probe.provider);
  archive.required("name", probe.name);
  archive.unless_empty("args", probe.arguments);
}

void fields(auto&& archive, Is<Socket> auto& socket) {
  archive.always("state", socket.state);
  archive.always("local", socket.local);
  archive.always("remote", socket.remote);
  archive.unless_empty("receive_queue", socket.receive_queue);
  archive.unless_empty("send_queue", socket.send_queue);
  archive.unless_empty("timer", socket.timer);
  archive.unless_empty("timer_expires_ms", socket.timer_expires_ms);
  archive.unless_empty("retransmits", socket.retransmits);
  archive.unless_empty("inode", socket.inode);
}

void fields(auto&& archive, Is<State> auto& state) {
  archive.always("host", state.host);
  archive.always("local", state.local);
  archive.always("remote", state.remote);
  archive.required("from", state.from);
  archive.required("to", state.to);
  archive.always("cause", state.cause);
  archive.unless_empty("frame", state.frame);
  archive.unless_empty("socket", state.socket);
  archive.unless_empty("concluded", state.is_concluded);
}

void fields(auto&& archive, Is<FaultRule> auto& fault) {
  archive.required("verb", fault.verb);
  archive.unless_empty("name", fault.name);
  archive.unless_empty("options", fault.options);
  archive.unless_empty("selection", fault.selection);
  archive.unless_empty("from", fault.from);
  archive.unless_empty("to", fault.to);
  archive.unless_empty("filter", fault.filter);
  archive.unless_empty("link", fault.link);
}

void fields(auto&& archive, Is<InjectionRule> auto& rule) {
  archive.required("call", rule.call);
  archive.only_if(rule.error != 0, "errno", ErrnoName{rule.error});
  archive.unless_empty("bytes", rule.bytes);
  archive.unless_empty("delay", rule.delay);
  archive.always("nth", rule.nth);
  archive.always("times", rule.times);
  archive.unless_empty("local", rule.local);
  archive.unless_empty("remote", rule.remote);
  archive.unless_empty("state", rule.state);
  archive.unless_empty("after_bytes", rule.after_bytes);
}

void fields(auto&& archive, Is<Effect> auto& effect) {
  archive.required("kind", effect.kind);
  archive.unless_empty("fault", effect.fault);
  archive.unless_empty("span", effect.span);
  archive.unless_empty("frame", effect.frame);
  archive.unless_empty("offset", effect.offset);
  archive.unless_empty("before", effect.before);
  archive.unless_empty("after", effect.after);
}

void fields(auto&& archive, Is<SackRange> auto& range) {
  archive.required("begin", range.begin);
  archive.required("end", range.end);
}

void fields(auto&& archive, Is<Packet> auto& packet) {
  archive.required("frame", packet.frame);
  archive.unless_empty("from", packet.from);
  archive.unless_empty("to", packet.to);
  archive.always("sent", packet.sent);
  archive.unless_empty("delivered", packet.delivered);
  archive.required("fate", packet.fate);
  archive.unless_empty("effects", packet.effects);
  archive.unless_empty("protocol", packet.protocol);
  archive.unless_empty("source", packet.source);
  archive.unless_empty("destination", packet.destination);
  archive.unless_empty("flags", packet.flags);
  // Fields of a header have a value even if it is 0.
  const bool is_tcp = packet.protocol == "TCP";
  const bool is_ack = is_tcp && packet.flags.find('.') != std::string::npos;
  archive.only_if(is_tcp, "seq", packet.sequence);
  archive.only_if(is_ack || packet.acknowledgment != 0, "ack", packet.acknowledgment);
  archive.only_if(is_tcp, "window", packet.window);
  archive.unless_empty("window_scale", packet.window_scale);
  archive.unless_empty("sack", packet.sack);
  archive.unless_empty("tsval", packet.tsval);
  archive.unless_empty("tsecr", packet.tsecr);
  archive.unless_empty("fast_open", packet.fast_open);
  archive.unless_empty("length", packet.length);
  archive.unless_empty("segments", packet.segments);
  archive.unless_empty("summary", packet.summary);
}

void fields(auto&& archive, Is<Sending> auto& sending) {
  archive.always("host", sending.host);
  archive.always("local", sending.local);
  archive.always("remote", sending.remote);
  archive.unless_empty("frame", sending.frame);
  archive.unless_empty("cwnd", sending.info.cwnd);
  archive.unless_empty("ssthresh", sending.info.ssthresh);
  archive.unless_empty("window", sending.info.window);
  archive.unless_empty("mss", sending.info.mss);
  archive.unless_empty("unacked", sending.info.unacked);
  archive.unless_empty("lost", sending.info.lost);
  archive.unless_empty("srtt", sending.info.rtt);
  archive.unless_empty("rto", sending.info.rto);
}

void fields(auto&& archive, Is<Flood> auto& flood) {
  archive.always("from", flood.from);
  archive.unless_empty("to", flood.to);
  archive.always("frames", flood.frames);
  archive.always("bytes", flood.bytes);
  archive.always("span", flood.span);
}

void fields(auto&& archive, Is<Action> auto& action) {
  archive.unless_empty("host", action.host);
  archive.required("verb", action.verb);
  archive.unless_empty("program", action.program);
  archive.unless_empty("signal", action.signal);
  archive.unless_empty("text", action.text);
  archive.unless_empty("name", action.name);
  archive.unless_empty("value", action.value);
  archive.unless_empty("nic", action.nic);
  archive.unless_empty("address", action.address);
  archive.unless_empty("gateway", action.gateway);
  archive.unless_empty("from", action.from);
  archive.unless_empty("span", action.span);
  archive.unless_empty("story_span", action.story_span);
  archive.unless_empty("fault", action.fault);
  archive.unless_empty("injection", action.injection);
  archive.unless_empty("line", action.line);
}

void fields(auto&& archive, Is<Verdict::LastLines> auto& written) {
  archive.always("host", written.host);
  archive.always("program", written.program);
  archive.always("stream", written.stream);
  archive.always("text", written.text);
}

void fields(auto&& archive, Is<Verdict> auto& verdict) {
  archive.required("passed", verdict.passed);
  archive.always("expected", verdict.expected);
  archive.unless_empty("seen", verdict.seen);
  archive.unless_empty("nearest", verdict.nearest);
  archive.unless_empty("host", verdict.host);
  archive.unless_empty("script", verdict.script);
  archive.unless_empty("line", verdict.line);
  archive.unless_empty("code", verdict.code);
  archive.unless_empty("last_lines", verdict.last_lines);
  archive.unless_empty("judges_requirement", verdict.judges_requirement);
}

void fields(auto&& archive, Is<Note> auto& note) { archive.always("text", note.text); }

void fields(auto&& archive, Is<Kernel> auto& kernel) {
  archive.always("host", kernel.host);
  archive.required("what", kernel.what);
  archive.unless_empty("local", kernel.local);
  archive.unless_empty("remote", kernel.remote);
  archive.unless_empty("reason", kernel.reason);
  archive.unless_empty("errno", ErrnoName{kernel.error});
  archive.unless_empty("state", kernel.state);
  archive.unless_empty("frame", kernel.frame);
}

void fields(auto&& archive, Is<AuditNote> auto& note) {
  archive.required("step", note.step);
  archive.unless_empty("failure", note.failure);
  archive.unless_empty("failure_title", note.failure_title);
  archive.unless_empty("moment", note.moment);
  archive.unless_empty("moment_title", note.moment_title);
  archive.unless_empty("side", note.side);
  archive.unless_empty("lasts", note.lasts);
  archive.unless_empty("limit", note.limit);
  archive.unless_empty("client", note.client);
  archive.unless_empty("server", note.server);
  archive.unless_empty("program", note.program);
  archive.only_if(note.step == AuditStep::judged, "outcome", note.outcome);
  archive.unless_empty("text", note.text);
  archive.unless_empty("reaction", note.reaction);
}

void fields(auto&& archive, Is<Unchecked> auto& unchecked) {
  archive.required("since", unchecked.since);
  archive.always("expected", unchecked.expected);
  archive.unless_empty("host", unchecked.host);
  archive.unless_empty("script", unchecked.script);
  archive.unless_empty("line", unchecked.line);
  archive.unless_empty("code", unchecked.code);
}

void fields(auto&& archive, Is<RunEnd> auto& end) {
  archive.required("outcome", end.outcome);
  archive.unless_empty("reason", end.reason);
  archive.always("duration", end.duration);
  archive.unless_empty("last_lines", end.last_lines);
  archive.unless_empty("requirement_does_not_arise", end.requirement_does_not_arise);
}

}  // namespace tcplab::capture
