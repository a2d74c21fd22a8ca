#include "reports/waits/run_waits.hh"

#include <algorithm>

#include "capture/event/call_names.hh"

namespace tcplab::reports {

using capture::Call;
using capture::Program;

namespace {

/// A call on a socket that is no TCP socket, or on none, does not wait for TCP.
bool is_about_tcp(const Call& call, const capture::TrackedSocketPointer& socket) {
  return socket != nullptr || call.remote || capture::waits_for_readiness(call.call);
}

}  // namespace

void RunWaits::event(const capture::Event& event) {
  last_ = event.at;
  if (const auto* call = std::get_if<Call>(&event.body)) {
    note(event, *call);
  } else if (const auto* change = std::get_if<Program>(&event.body)) {
    const bool has_ended = change->change == capture::ProgramChange::exited ||
                           change->change == capture::ProgramChange::killed;
    if (!has_ended) return;
    end_all(open_[{change->host, change->program}]);
    open_.erase({change->host, change->program});
    tracker_.ended(*change);
  } else if (const auto* state = std::get_if<capture::State>(&event.body)) {
    if (state->cause == capture::StateCause::power) end_host(state->host);
  }
}

void RunWaits::note(const capture::Event& event, const Call& call) {
  const capture::CallTracker::Step step = tracker_.note(call, event.at);
  if (call.by_lab) return;
  std::map<CallId, Open>& calls = open_[{call.host, call.program}];
  const CallId id{call.pid, call.id};
  if (call.phase == capture::CallPhase::enter) {
    calls[id] = {.call = call, .entered = event.at, .event = event.number, .socket = step.socket};
    return;
  }
  const auto found = calls.find(id);
  if (found == calls.end()) return;  // it did not sleep
  add(found->second, call, event.at, event.number);
  calls.erase(found);
}

/// What a scenario kept from the kernel was no wait for TCP.
void RunWaits::add(const Open& open, const Call& call, base::Instant until, std::uint64_t event) {
  TraceWait wait{.call = call,
                 .entered = open.entered + call.injected_delay,
                 .until = until,
                 .process = call.program,
                 .event = event};
  if (wait.duration() < kLeast || !is_about_tcp(call, open.socket)) return;
  const auto ends = open.socket ? open.socket->ends() : std::nullopt;
  if (!call.remote && ends) wait.connections = {*ends};
  program({call.host, call.program}).sums.add(wait);
}

void RunWaits::end_all(const std::map<CallId, Open>& calls) {
  for (const auto& [id, open] : calls) add(open, open.call, last_, open.event);
}

void RunWaits::end_host(const std::string& host) {
  std::erase_if(open_, [&](const auto& each) {
    if (each.first.first == host) end_all(each.second);
    return each.first.first == host;
  });
  tracker_.lost_power(host);
}

void RunWaits::finish() {
  for (const auto& [name, calls] : open_) end_all(calls);
  open_.clear();
}

ProgramWaits& RunWaits::program(const ProgramName& name) {
  const auto found = std::ranges::find_if(programs_, [&](const ProgramWaits& each) {
    return each.host == name.first && each.program == name.second;
  });
  if (found != programs_.end()) return *found;
  programs_.push_back({.host = name.first, .program = name.second, .sums = {}});
  return programs_.back();
}

std::vector<ProgramWaits> RunWaits::take() { return std::move(programs_); }

}  // namespace tcplab::reports
