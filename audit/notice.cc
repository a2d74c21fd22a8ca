#include "audit/notice.hh"

#include <cerrno>

#include "capture/event/call_names.hh"

namespace tcplab::audit {

namespace {

bool is_usual(int error) {
  return error == EAGAIN || error == EINPROGRESS || error == EALREADY || error == EINTR;
}

/// False for calls whose errors say nothing about the connection, such as EEXIST of epoll_ctl(2).
bool uses_connection(std::string_view call) {
  return call == "connect" || call == "shutdown" || capture::is_of_family(call, "accept") ||
         capture::sends_data(call) || capture::receives_data(call);
}

/// True if a script made the error: no fault of the lab has caused it.
bool is_invented(const capture::Event& event) {
  const auto* call = std::get_if<capture::Call>(&event.body);
  return call != nullptr && call->injected && call->result == -1;
}

bool has_waited(const capture::Call& call) { return !call.arguments.ends_with("timeout 0 ms"); }

bool asks_for_bytes(const capture::Call& call) {
  return !call.arguments.starts_with("0 bytes") && !call.arguments.empty();
}

std::optional<NoticeKind> kind_of(const capture::Call& call) {
  if (call.phase != capture::CallPhase::leave) return std::nullopt;
  const bool is_error = call.result == -1 ? uses_connection(call.call) && !is_usual(call.error)
                                          : call.call == "getsockopt" && call.error != 0;
  if (is_error) return NoticeKind::error;
  if (call.result != 0) return std::nullopt;
  if (capture::receives_data(call.call) && asks_for_bytes(call)) return NoticeKind::end_of_stream;
  if (capture::waits_for_readiness(call.call) && has_waited(call)) return NoticeKind::own_timer;
  return std::nullopt;
}

/// "kang/curl"
std::string program_of(const capture::Event& event) {
  if (const auto* call = std::get_if<capture::Call>(&event.body))
    return call->host + "/" + call->program;
  if (const auto* change = std::get_if<capture::Program>(&event.body))
    return change->host + "/" + change->program;
  return "";
}

}  // namespace

std::optional<NoticeKind> notice_kind(const capture::Event& event) {
  if (const auto* call = std::get_if<capture::Call>(&event.body)) return kind_of(*call);
  const auto* program = std::get_if<capture::Program>(&event.body);
  const bool is_end = program != nullptr && (program->change == capture::ProgramChange::exited ||
                                             program->change == capture::ProgramChange::killed);
  return is_end ? std::optional(NoticeKind::end) : std::nullopt;
}

bool is_fault(const capture::Action& action) {
  switch (action.verb) {
    case capture::ActionVerb::power_off:
    case capture::ActionVerb::power_cycle:
    case capture::ActionVerb::crash:
    case capture::ActionVerb::reboot:
    case capture::ActionVerb::unplug:
    case capture::ActionVerb::stop:
    case capture::ActionVerb::kill:
    case capture::ActionVerb::freeze:
    case capture::ActionVerb::nft:
    case capture::ActionVerb::mtu:
    case capture::ActionVerb::remove_address:
    case capture::ActionVerb::forge:
    case capture::ActionVerb::lose:
    case capture::ActionVerb::cut:
    case capture::ActionVerb::hold:
    case capture::ActionVerb::delay:
    case capture::ActionVerb::limit:
    case capture::ActionVerb::duplicate:
    case capture::ActionVerb::reorder:
    case capture::ActionVerb::corrupt:
    case capture::ActionVerb::truncate:
      return true;
    case capture::ActionVerb::link:
      return action.value == "down";
    case capture::ActionVerb::route:
      return action.value != "none";
    case capture::ActionVerb::power_on:
    case capture::ActionVerb::plug:
    case capture::ActionVerb::type:
    case capture::ActionVerb::close_stdin:
    case capture::ActionVerb::signal:
    case capture::ActionVerb::thaw:
    case capture::ActionVerb::sysctl:
    case capture::ActionVerb::add_address:
    case capture::ActionVerb::wait:
    case capture::ActionVerb::idle:
    case capture::ActionVerb::release:
    case capture::ActionVerb::remove:
    case capture::ActionVerb::inject:
      return false;
  }
  return false;
}

bool stops_programs(capture::ActionVerb verb) {
  return verb == capture::ActionVerb::freeze || verb == capture::ActionVerb::power_off ||
         verb == capture::ActionVerb::power_cycle || verb == capture::ActionVerb::crash ||
         verb == capture::ActionVerb::reboot || verb == capture::ActionVerb::stop ||
         verb == capture::ActionVerb::kill;
}

void NoticeWatch::note(const capture::Event& event) {
  if (const auto* action = std::get_if<capture::Action>(&event.body)) {
    if (is_fault(*action)) faults_.push_back({event.at, *action});
  } else if (const auto* packet = std::get_if<capture::Packet>(&event.body)) {
    if (packet->delivered && packet->flags.find_first_of("FR") != std::string::npos)
      frames_.push_back({*packet->delivered, packet->to, packet->destination, packet->source});
  } else if (const auto* program = std::get_if<capture::Program>(&event.body)) {
    if (program->change == capture::ProgramChange::started && program->command.starts_with("dnc "))
      own_logs_.insert(program_of(event));
  }
}

const NoticeWatch::Fault* NoticeWatch::fault_before(base::Instant at) const {
  for (auto fault = faults_.rbegin(); fault != faults_.rend(); ++fault)
    if (fault->at <= at) return &*fault;
  return nullptr;
}

/// The first FIN or RST that its host received, on the call's connection if it names one.
std::optional<base::Instant> NoticeWatch::frame_between(base::Instant from,
                                                        const capture::Event& event) const {
  const auto* call = std::get_if<capture::Call>(&event.body);
  const std::string& host =
      call != nullptr ? call->host : std::get<capture::Program>(event.body).host;
  const bool is_named = call != nullptr && call->local && call->remote;
  for (const BadFrame& frame : frames_) {
    if (frame.at < from || frame.at > event.at || frame.host != host) continue;
    if (!is_named || (frame.local == *call->local && frame.remote == *call->remote))
      return frame.at;
  }
  return std::nullopt;
}

std::optional<Notice> NoticeWatch::measure(const capture::Event& event) const {
  const auto kind = notice_kind(event);
  if (!kind) return std::nullopt;
  Notice notice{.kind = *kind, .fault = {}, .after_fault = {}, .after_frame = {}};
  if (is_invented(event)) return notice;
  const Fault* fault = fault_before(event.at);
  if (fault != nullptr) {
    notice.fault = fault->action;
    notice.after_fault = event.at - fault->at;
  }
  if (const auto frame = frame_between(fault != nullptr ? fault->at : base::Instant{}, event))
    notice.after_frame = event.at - *frame;
  return notice;
}

/// A program that the script itself has ended, or whose host it has switched off, notices nothing.
bool NoticeWatch::is_new(const capture::Event& event) {
  const std::string program = program_of(event);
  const Fault* fault = fault_before(event.at);
  if (fault == nullptr || own_logs_.contains(program)) return false;
  const capture::Action& action = fault->action;
  const bool is_its_own =
      program == action.host + "/" + action.program ||
      (capture::forgets_connections(action.verb) && program.starts_with(action.host + "/"));
  return !is_its_own && reported_.insert({program, fault->at}).second;
}

std::optional<NoticeWatch::First> NoticeWatch::first(const capture::Event& event) {
  if (faults_.empty() || is_invented(event)) return std::nullopt;
  const auto* call = std::get_if<capture::Call>(&event.body);
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
  const capture::Event what = is_timeout ? timeout->second : event;
  timeouts_.erase(program);
  if (!is_new(what)) return std::nullopt;
  return First{*measure(what), what};
}

}  // namespace tcplab::audit
