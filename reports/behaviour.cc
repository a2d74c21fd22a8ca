#include "reports/behaviour.hh"

#include <fmt/format.h>

#include "base/error.hh"
#include "reports/state_text.hh"

namespace tcplab::reports {

using capture::TcpState;

namespace {

constexpr std::size_t kMostLines = 20000;  // of one stream
constexpr std::size_t kMostConnections = 4096;

std::string answer_of(const capture::Call& call) {
  if (call.result < 0) return fmt::format("{} fails {}", call.call, base::errno_name(call.error));
  if (call.call == "poll")
    return fmt::format("poll = {} {}", call.result, capture::poll_events(call.revents));
  if (call.call == "getsockopt" && call.error != 0)
    return fmt::format("getsockopt gives {}", base::errno_name(call.error));
  const bool makes_descriptor = call.call == "socket" || call.call == "accept";
  return makes_descriptor ? call.call : fmt::format("{} = {}", call.call, call.result);
}

}  // namespace

void Deeds::add(std::string line) {
  if (!lines.empty() && lines.back() == line) {
    ++counts.back();
    return;
  }
  if (lines.size() == kMostLines) {
    is_cut = true;
    return;
  }
  lines.push_back(std::move(line));
  counts.push_back(1);
}

std::string Deeds::text(std::size_t line) const {
  return counts[line] == 1 ? lines[line] : fmt::format("{} ({} times)", lines[line], counts[line]);
}

void Behaviour::event(const capture::Event& event) {
  if (const auto* run = std::get_if<capture::RunStart>(&event.body)) run_ = *run;
  if (const auto* end = std::get_if<capture::RunEnd>(&event.body)) end_ = *end;
  if (const auto* up = std::get_if<capture::HostUp>(&event.body)) names_.learn(*up);
  if (const auto* call = std::get_if<capture::Call>(&event.body)) note(*call);
  if (const auto* packet = std::get_if<capture::Packet>(&event.body)) note(*packet);
  if (const auto* program = std::get_if<capture::Program>(&event.body)) note(*program);
  if (const auto* state = std::get_if<capture::State>(&event.body); state && !is_listener(*state))
    deeds_["states of " + state->host].add(
        fmt::format("{} to {}", name(state->from), name(state->to)));
  if (const auto* verdict = std::get_if<capture::Verdict>(&event.body))
    deeds_["verdicts"].add((verdict->passed ? "met: " : "not met: ") +
                           (verdict->code.empty() ? verdict->expected : verdict->code));
}

void Behaviour::note(const capture::Call& call) {
  if (call.phase == capture::CallPhase::enter || is_boring(call)) return;
  deeds_[fmt::format("calls of {}'s {}", call.host, call.program)].add(answer_of(call));
}

void Behaviour::note(const capture::Program& program) {
  const std::string stream = fmt::format("end of {}'s {}", program.host, program.program);
  if (program.change == capture::ProgramChange::exited)
    deeds_[stream].add(fmt::format("exits with status {}", program.code));
  if (program.change == capture::ProgramChange::killed)
    deeds_[stream].add("is killed by " + base::signal_name(program.code));
}

void Behaviour::note(const capture::Packet& packet) {
  std::string line = packet.protocol;
  if (packet.protocol == "TCP") {
    line = packet.flags == "." && packet.length == 0 ? "ACK" : "TCP " + packet.flags;
    if (packet.length > 0) line += fmt::format(" data {}", packet.length);
    if (sent_.size() < kMostConnections) {
      const auto [known, is_new] =
          sent_.try_emplace({packet.source, packet.destination}, packet.sequence - 1);
      const std::uint32_t end = packet.sequence + packet.length;
      // RFC 9293 section 3.4: compared modulo 2^32.
      const bool occupies =
          packet.length > 0 || packet.flags.find_first_of("SF") != std::string::npos;
      const bool is_fresh = static_cast<std::int32_t>(end - known->second) > 0;
      if (occupies && !is_fresh && !is_new) line += " again";
      if (is_fresh) known->second = end;
    }
  }
  const bool comes_later =
      packet.fate == capture::Fate::held || packet.fate == capture::Fate::delayed;
  if (comes_later) return;
  if (packet.fate == capture::Fate::lost) line += ", lost";
  deeds_[fmt::format("frames {} > {}", packet.from.empty() ? "nobody" : packet.from,
                     packet.to.empty() ? "all" : packet.to)]
      .add(line);
}

}  // namespace tcplab::reports
