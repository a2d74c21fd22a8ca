#include "reports/perfetto/run_trace.hh"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "reports/text/action_text.hh"
#include "reports/text/audit_text.hh"
#include "reports/text/effect_text.hh"
#include "reports/text/judgement_text.hh"
#include "reports/text/kernel_text.hh"
#include "reports/text/probe_text.hh"
#include "reports/text/state_text.hh"

namespace tcplab::reports {

namespace {

using Json = TraceFile::Json;
using capture::Event;

constexpr const char* kLab = "";                // the process of what the script does
constexpr std::chrono::microseconds kFrame(5);  // how long a frame is drawn

// The rows of a host, from top to bottom.
constexpr int kPower = 0;
constexpr int kSent = 1;
constexpr int kReceived = 2;
constexpr int kCounted = 3;
constexpr int kKernel = 4;
constexpr int kStates = 5;
constexpr int kCalls = 6;

std::string result_of(const capture::Call& call) {
  if (call.result >= 0 || call.error == 0) return std::to_string(call.result);
  return fmt::format("{} {}", call.result, base::errno_name(call.error));
}

Json arguments_of(const Event& event, const capture::Call& call) {
  Json arguments = {{"event", event.number}};
  const auto add = [&arguments](const char* name, const std::string& value) {
    if (!value.empty()) arguments[name] = value;
  };
  if (call.fd >= 0) arguments["fd"] = call.fd;
  add("arguments", call.arguments);
  add("data", call.data);
  if (call.local) add("local", call.local->to_string());
  if (call.remote) add("remote", call.remote->to_string());
  if (call.revents != 0) arguments["revents"] = capture::poll_events(call.revents);
  if (call.injected) arguments["injected"] = true;
  std::string stack;
  for (const std::string& frame : call.stack) stack += (stack.empty() ? "" : "\n") + frame;
  add("stack", stack);
  return arguments;
}

Json arguments_of(const Event& event, const capture::Packet& packet) {
  Json arguments = {{"event", event.number},
                    {"frame", packet.frame},
                    {"protocol", packet.protocol},
                    {"bytes", packet.length}};
  if (packet.protocol == "TCP") {
    arguments["source"] = packet.source.to_string();
    arguments["destination"] = packet.destination.to_string();
  }
  if (!packet.summary.empty()) arguments["summary"] = packet.summary;
  return arguments;
}

/// The name of the row of a process's first thread.
std::string main_row(const std::string& program, int pid) {
  return fmt::format("{} (pid {})", program, pid);
}

std::string remark_text(const capture::Note& note) { return note.text; }
std::string remark_text(const capture::AuditNote& note) { return audit_line(note); }
std::string remark_text(const capture::Unchecked& unchecked) { return unchecked_text(unchecked); }

std::string row_name(const capture::State& state) {
  if (is_listener(state)) return "listens on " + state.local.to_string();
  return state.local.to_string() + " to " + state.remote.to_string();
}

}  // namespace

void RunTrace::event(const Event& event) {
  if (!start_) start_ = event.at;
  last_ = std::max(last_, event.at);
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) run_ = *run;
  std::visit(
      [&](const auto& body) {
        if constexpr (requires { remark_text(body); })
          tell(event, remark_text(body));
        else if constexpr (requires { see(event, body); })
          see(event, body);
      },
      event.body);
}

int RunTrace::process_of(const std::string& host) {
  const auto [found, is_new] = processes_.try_emplace(host);
  if (is_new) found->second = file_.add_process(host == kLab ? "the lab" : host, "");
  return found->second;
}

int RunTrace::row(const std::string& host, const std::string& name, int rank) {
  const auto [found, is_new] = rows_.try_emplace(RowKey{host, name});
  if (is_new) found->second = file_.add_thread(process_of(host), name, rank);
  return found->second;
}

template <typename Body>
int RunTrace::row_of(const Body& body) {
  const bool is_first = body.tid == 0 || body.tid == body.pid;
  return row(body.host,
             is_first ? main_row(body.program, body.pid)
                      : fmt::format("{} (thread {})", body.program, body.tid),
             kCalls);
}

void RunTrace::see(const Event& event, const capture::HostUp& up) {
  if (!processes_.contains(up.host)) {
    std::string addresses;
    for (const capture::Interface& interface : up.interfaces)
      for (const std::string& address : interface.addresses)
        addresses += (addresses.empty() ? "" : ", ") + address;
    processes_[up.host] = file_.add_process(up.host, addresses);
  }
  const auto dark = without_power_.find(up.host);
  if (dark == without_power_.end()) return;
  file_.end_slice(dark->second, event.at);
  without_power_.erase(dark);
}

void RunTrace::see(const Event& event, const capture::Program& program) {
  using enum capture::ProgramChange;
  if (program.change != exited && program.change != killed) return;
  end_calls(program.host, program.program, event.at);
  const std::string how = program.change == exited
                              ? fmt::format("exits, status {}", program.code)
                              : "is killed by " + base::signal_name(program.code);
  file_.add_moment(row(program.host, main_row(program.program, program.pid), kCalls),
                   program.program + " " + how, event.at, {{"event", event.number}});
}

void RunTrace::see(const Event& event, const capture::Call& call) {
  const CallKey key{call.host, call.program, call.pid, call.id};
  if (call.phase == capture::CallPhase::enter) {
    calls_[key] = {event.at, call};
    return;
  }
  calls_.erase(key);
  Json arguments = arguments_of(event, call);
  arguments["result"] = result_of(call);
  file_.add_slice(row_of(call), call.call, call.entered, event.at, std::move(arguments));
}

/// Ends the calls of a program that will not return; of all programs if its name is empty.
void RunTrace::end_calls(const std::string& host, const std::string& program, capture::Instant at) {
  std::erase_if(calls_, [&](const auto& each) {
    const auto& [entered, call] = each.second;
    if (call.host != host || (!program.empty() && call.program != program)) return false;
    Json arguments = arguments_of(Event{.at = entered}, call);
    arguments.erase("event");
    arguments["result"] = "has not returned";
    file_.add_slice(row_of(call), call.call, entered, at, std::move(arguments));
    return true;
  });
}

void RunTrace::see(const Event& event, const capture::State& state) {
  const std::string name = row_name(state);
  const RowKey key{state.host, name};
  if (const auto found = states_.find(key); found != states_.end()) {
    file_.end_slice(found->second, event.at);
    states_.erase(found);
  }
  if (state.to == capture::TcpState::closed || state.to == capture::TcpState::close) return;
  Json arguments = {{"event", event.number},
                    {"from", capture::name(state.from)},
                    {"cause", capture::word(state.cause)}};
  if (state.frame != 0) arguments["frame"] = state.frame;
  if (state.is_concluded) arguments["concluded"] = true;
  states_[key] =
      file_.add_slice(row(state.host, name, kStates), std::string(capture::name(state.to)),
                      event.at, event.at, std::move(arguments));
}

void RunTrace::end_states(const std::string& host, capture::Instant at) {
  std::erase_if(states_, [&](const auto& each) {
    if (each.first.first != host) return false;
    file_.end_slice(each.second, at);
    return true;
  });
}

void RunTrace::tell_fate(const capture::Packet& packet, Slice slice) {
  Json& arguments = file_.arguments(slice);
  arguments["fate"] = capture::word(packet.fate);
  if (const std::string effects = effects_text(packet); !effects.empty())
    arguments["effects"] = effects;
}

/// A held or delayed frame has two events: one row has it when it was sent, the other one when it
/// arrives.
void RunTrace::see(const Event& event, const capture::Packet& packet) {
  const SegmentText words = segments_.describe(packet);
  const std::string& label = words.labels.front();
  auto sent = sent_.find(packet.frame);
  if (sent == sent_.end() || packet.frame == 0) {
    const bool is_ours = packet.from.empty() || capture::is_forged(packet);
    const int from =
        is_ours ? row(kLab, "forged frames", kSent) : row(packet.from, "frames sent", kSent);
    const Slice slice = file_.add_slice(from, label, packet.sent, packet.sent + kFrame,
                                        arguments_of(event, packet));
    sent = sent_.insert_or_assign(packet.frame, slice).first;
  }
  tell_fate(packet, sent->second);
  if (!packet.delivered || packet.to.empty() || packet.fate == capture::Fate::lost) return;
  const Slice received =
      file_.add_slice(row(packet.to, "frames received", kReceived), label, *packet.delivered,
                      *packet.delivered + kFrame, arguments_of(event, packet));
  file_.add_flow(sent->second, received, label);
}

void RunTrace::see(const Event& event, const capture::Flood& flood) {
  file_.add_slice(row(flood.from, "frames counted, to " + flood.to, kCounted),
                  fmt::format("{} frames", flood.frames), event.at - flood.span, event.at,
                  {{"event", event.number}, {"frames", flood.frames}, {"bytes", flood.bytes}});
}

void RunTrace::see(const Event& event, const capture::Action& action) {
  const std::string host = action.host.empty() ? "" : action.host + ": ";
  file_.add_moment(row(kLab, "script", kCalls), host + action_text(action), event.at,
                   {{"event", event.number}, {"line", action.line}});
  if (power_change(action.verb) != capture::PowerChange::cut) return;
  end_calls(action.host, "", event.at);
  end_states(action.host, event.at);
  without_power_[action.host] = file_.add_slice(row(action.host, "power", kPower), "no power",
                                                event.at, event.at, {{"event", event.number}});
}

void RunTrace::see(const Event& event, const capture::Verdict& verdict) {
  Json arguments = {{"event", event.number}, {"expected", verdict.expected}};
  if (!verdict.seen.empty()) arguments["seen"] = verdict.seen;
  if (verdict.line != 0) arguments["line"] = verdict.line;
  file_.add_moment(row(kLab, "script", kCalls), (verdict.passed ? "✓ " : "✗ ") + verdict.expected,
                   event.at, std::move(arguments));
}

void RunTrace::see(const Event& event, const capture::Probe& probe) {
  file_.add_moment(row_of(probe), probe_text(probe).text(), event.at, {{"event", event.number}});
}

void RunTrace::see(const Event& event, const capture::Kernel& kernel) {
  Json arguments = {{"event", event.number}};
  if (kernel.frame != 0) arguments["frame"] = kernel.frame;
  file_.add_moment(row(kernel.host, "kernel", kKernel), kernel_text(kernel).text(), event.at,
                   std::move(arguments));
}

void RunTrace::see(const Event& event, const capture::Sending& sending) {
  const int process = process_of(sending.host);
  const std::string ends = sending.local.to_string() + " to " + sending.remote.to_string();
  file_.add_value(process, "cwnd, " + ends, "segments", event.at, sending.info.cwnd);
  file_.add_value(process, "RTO, " + ends, "ms", event.at,
                  base::in_seconds(sending.info.rto) * 1e3);
}

void RunTrace::tell(const Event& event, const std::string& remark) {
  file_.add_moment(row(kLab, "script", kCalls), remark, event.at, {{"event", event.number}});
}

void RunTrace::finish() {
  for (const auto& [host, process] : processes_) {
    end_calls(host, "", last_);
    end_states(host, last_);
  }
  for (const auto& [host, slice] : without_power_) file_.end_slice(slice, last_);
  without_power_.clear();
}

std::string RunTrace::text() {
  Json about = Json::object();
  if (run_) {
    about["scenario"] = run_->scenario;
    about["title"] = run_->title;
    about["kernel"] = run_->kernel;
  }
  return file_.text(start_.value_or(capture::Instant{}), about);
}

}  // namespace tcplab::reports
