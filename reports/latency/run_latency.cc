#include "reports/latency/run_latency.hh"

#include <algorithm>
#include <fmt/format.h>

#include "reports/latency/latency_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

using capture::Call;
using capture::Program;

void RunLatency::event(const capture::Event& event) {
  if (!start_) start_ = event.at;
  last_ = event.at;
  if (const auto* call = std::get_if<Call>(&event.body)) {
    Watched& watched = program(call->host, call->program);
    const std::pair key{call->pid, call->id};
    if (call->phase == capture::CallPhase::enter) {
      watched.entered[key] = {
          .call = call->call, .entered = event.at, .process = call->pid, .event = event.number};
      watched.latency.table.add(event.at, *call);
      return;
    }
    watched.entered.erase(key);
    watched.latency.table.add(event.at, *call, event.number);
  } else if (const auto* change = std::get_if<Program>(&event.body)) {
    const bool has_ended = change->change == capture::ProgramChange::exited ||
                           change->change == capture::ProgramChange::killed;
    if (has_ended) program(change->host, change->program).entered.clear();
  }
}

RunLatency::Watched& RunLatency::program(const std::string& host, const std::string& name) {
  const auto found = std::ranges::find_if(programs_, [&](const Watched& each) {
    return each.latency.host == host && each.latency.program == name;
  });
  if (found != programs_.end()) return *found;
  programs_.push_back({.latency = {.host = host, .program = name}});
  return programs_.back();
}

std::vector<ProgramLatency> RunLatency::programs() const {
  std::vector<ProgramLatency> latencies;
  for (const Watched& watched : programs_) {
    latencies.push_back(watched.latency);
    for (const auto& [key, call] : watched.entered) {
      latencies.back().open.push_back(call);
      latencies.back().open.back().span = last_ - call.entered;
    }
    std::ranges::sort(latencies.back().open, {}, &OpenCall::event);
  }
  std::erase_if(latencies, [](const ProgramLatency& each) {
    return each.open.empty() && each.table.rows().empty();
  });
  return latencies;
}

std::string run_latency_text(const RunLatency& latency) {
  std::string text;
  for (const ProgramLatency& each : latency.programs()) {
    const base::Instant start = latency.start().value_or(base::Instant{});
    text += fmt::format("{}{}'s {}\n", text.empty() ? "" : "\n", printable(each.host),
                        printable(each.program));
    for (const OpenCall& call : each.open)
      text += fmt::format(
          "{}: not returned after {}, when the run ended; process {} entered it at {}\n",
          printable(call.call), base::describe(call.span), call.process,
          base::describe(call.entered - start));
    text += latency_text(each.table, start);
  }
  return text;
}

}  // namespace tcplab::reports
