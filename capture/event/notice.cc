#include "capture/event/notice.hh"

#include <cerrno>

#include "capture/event/call_names.hh"

namespace tcplab::capture {

namespace {

bool is_usual(int error) {
  return error == EAGAIN || error == EINPROGRESS || error == EALREADY || error == EINTR;
}

/// False for calls whose errors say nothing about the connection, such as EEXIST of epoll_ctl(2).
bool uses_connection(std::string_view call) {
  return call == "connect" || call == "shutdown" || is_of_family(call, "accept") ||
         sends_data(call) || receives_data(call);
}

/// True if a script made the error: no fault of the lab has caused it.
bool is_invented(const Event& event) {
  const auto* call = std::get_if<Call>(&event.body);
  return call != nullptr && call->injected && call->result == -1;
}

bool has_waited(const Call& call) { return !call.arguments.ends_with("timeout 0 ms"); }

bool asks_for_bytes(const Call& call) {
  return !call.arguments.starts_with("0 bytes") && !call.arguments.empty();
}

std::optional<NoticeKind> kind_of(const Call& call) {
  if (call.phase != CallPhase::leave) return std::nullopt;
  const bool is_error = call.result == -1 ? uses_connection(call.call) && !is_usual(call.error)
                                          : call.call == "getsockopt" && call.error != 0;
  if (is_error) return NoticeKind::error;
  if (call.result != 0) return std::nullopt;
  if (receives_data(call.call) && asks_for_bytes(call)) return NoticeKind::end_of_stream;
  if (waits_for_readiness(call.call) && has_waited(call)) return NoticeKind::own_timer;
  return std::nullopt;
}

/// "kang/curl"
std::string program_of(const Event& event) {
  if (const auto* call = std::get_if<Call>(&event.body)) return call->host + "/" + call->program;
  if (const auto* change = std::get_if<Program>(&event.body))
    return change->host + "/" + change->program;
  return "";
}

}  // namespace

std::optional<NoticeKind> notice_kind(const Event& event) {
  if (const auto* call = std::get_if<Call>(&event.body)) return kind_of(*call);
  const auto* program = std::get_if<Program>(&event.body);
  const bool is_end = program != nullptr && (program->change == ProgramChange::exited ||
                                             program->change == ProgramChange::killed);
  return is_end ? std::optional(NoticeKind::end) : std::nullopt;
}

bool is_fault(const Action& action) {
  switch (action.verb) {
    case ActionVerb::power_off:
    case ActionVerb::power_cycle:
    case ActionVerb::crash:
    case ActionVerb::reboot:
    case ActionVerb::unplug:
    case ActionVerb::stop:
    case ActionVerb::kill:
    case ActionVerb::freeze:
    case ActionVerb::nft:
    case ActionVerb::mtu:
    case ActionVerb::remove_address:
    case ActionVerb::forge:
    case ActionVerb::lose:
    case ActionVerb::cut:
    case ActionVerb::hold:
    case ActionVerb::delay:
    case ActionVerb::limit:
    case ActionVerb::duplicate:
    case ActionVerb::reorder:
    case ActionVerb::corrupt:
    case ActionVerb::truncate:
      return true;
    case ActionVerb::link:
      return action.value == "down";
    case ActionVerb::route:
      return action.value != "none";
    case ActionVerb::power_on:
    case ActionVerb::plug:
    case ActionVerb::type:
    case ActionVerb::close_stdin:
    case ActionVerb::signal:
    case ActionVerb::thaw:
    case ActionVerb::sysctl:
    case ActionVerb::add_address:
    case ActionVerb::wait:
    case ActionVerb::idle:
    case ActionVerb::release:
    case ActionVerb::remove:
    case ActionVerb::inject:
      return false;
  }
  return false;
}

void NoticeWatch::note(const Event& event) {
  if (const auto* action = std::get_if<Action>(&event.body)) {
    if (is_fault(*action)) faults_.push_back({event.at, *action});
  } else if (const auto* packet = std::get_if<Packet>(&event.body)) {
    if (packet->delivered && packet->flags.find_first_of("FR") != std::string::npos)
      frames_.push_back({*packet->delivered, packet->to, packet->destination, packet->source});
  } else if (const auto* program = std::get_if<Program>(&event.body)) {
    if (program->change == ProgramChange::started && program->command.starts_with("dnc "))
      own_logs_.insert(program_of(event));
  }
}

const NoticeWatch::Fault* NoticeWatch::fault_before(Instant at) const {
  for (auto fault = faults_.rbegin(); fault != faults_.rend(); ++fault)
    if (fault->at <= at) return &*fault;
  return nullptr;
}

/// The first FIN or RST that its host received, on the call's connection if it names one.
std::optional<Instant> NoticeWatch::frame_between(Instant from, const Event& event) const {
  const auto* call = std::get_if<Call>(&event.body);
  const std::string& host = call != nullptr ? call->host : std::get<Program>(event.body).host;
  const bool is_named = call != nullptr && call->local && call->remote;
  for (const BadFrame& frame : frames_) {
    if (frame.at < from || frame.at > event.at || frame.host != host) continue;
    if (!is_named || (frame.local == *call->local && frame.remote == *call->remote))
      return frame.at;
  }
  return std::nullopt;
}

std::optional<Notice> NoticeWatch::measure(const Event& event) const {
  const auto kind = notice_kind(event);
  if (!kind) return std::nullopt;
  Notice notice{.kind = *kind, .fault = {}, .after_fault = {}, .after_frame = {}};
  if (is_invented(event)) return notice;
  const Fault* fault = fault_before(event.at);
  if (fault != nullptr) {
    notice.fault = fault->action;
    notice.after_fault = event.at - fault->at;
  }
  if (const auto frame = frame_between(fault != nullptr ? fault->at : Instant{}, event))
    notice.after_frame = event.at - *frame;
  return notice;
}

/// A program that the script itself has ended, or whose host it has switched off, notices nothing.
bool NoticeWatch::is_told(const Event& event) {
  const std::string program = program_of(event);
  const Fault* fault = fault_before(event.at);
  if (fault == nullptr || own_logs_.contains(program)) return false;
  const Action& action = fault->action;
  const bool is_its_own =
      program == action.host + "/" + action.program ||
      (forgets_connections(action.verb) && program.starts_with(action.host + "/"));
  return !is_its_own && told_.insert({program, fault->at}).second;
}

std::optional<NoticeWatch::First> NoticeWatch::first(const Event& event) {
  if (faults_.empty() || is_invented(event)) return std::nullopt;
  const auto* call = std::get_if<Call>(&event.body);
  const auto kind = notice_kind(event);
  const std::string program = program_of(event);
  if (kind == NoticeKind::own_timer) {
    timeouts_.insert_or_assign(program, event);
    return std::nullopt;
  }
  const bool closes = call != nullptr && (call->call == "close" || call->call == "shutdown");
  const bool gives_up = closes || kind == NoticeKind::end;
  const auto timeout = timeouts_.find(program);
  const bool is_timeout = gives_up && timeout != timeouts_.end();
  if (!is_timeout && !kind) {
    // It has gone on: the timeout was none that ended its waiting.
    if (call != nullptr && call->result > 0) timeouts_.erase(program);
    return std::nullopt;
  }
  const Event what = is_timeout ? timeout->second : event;
  timeouts_.erase(program);
  if (!is_told(what)) return std::nullopt;
  return First{*measure(what), what};
}

}  // namespace tcplab::capture
