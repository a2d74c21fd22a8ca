#include "reports/story/look_ahead.hh"

#include "reports/text/call_text.hh"

namespace tcplab::reports {

namespace {

using capture::Call;
using capture::CallPhase;
using capture::Packet;
using capture::State;

// The most events to look at. It is enough for events that belong together, and keeps the cost of a
// long run proportional to its length.
constexpr int kFarthest = 256;

// A call that returns within this time did not block.
constexpr std::chrono::milliseconds kAtOnce(10);

bool is_return_of(const Call& entry, const Call& call) {
  return call.phase == CallPhase::leave && call.id == entry.id && call.pid == entry.pid &&
         call.host == entry.host && call.program == entry.program;
}

bool interrupts(const capture::Event& event) {
  if (const auto* call = std::get_if<Call>(&event.body)) return !is_boring(*call);
  if (const auto* packet = std::get_if<Packet>(&event.body)) return packet->protocol == "TCP";
  return !std::holds_alternative<State>(event.body) &&
         !std::holds_alternative<capture::Kernel>(event.body);
}

/// Returns whether the receiver does not see the frame now. A held or delayed frame has another
/// event when it arrives.
bool gets_nowhere(const Packet& packet) {
  return packet.fate == capture::Fate::held || packet.fate == capture::Fate::delayed ||
         packet.fate == capture::Fate::lost;
}

bool is_caused_by(const capture::Event& event, const Packet& packet) {
  if (const auto* kernel = std::get_if<capture::Kernel>(&event.body))
    return kernel->frame == packet.frame && !gets_nowhere(packet);
  const auto* state = std::get_if<State>(&event.body);
  if (state == nullptr || state->cause != capture::StateCause::frame ||
      state->frame != packet.frame)
    return false;
  return !gets_nowhere(packet) || state->host == packet.from;
}

}  // namespace

std::optional<capture::Event> take_return(const Call& entry, capture::Instant entered,
                                          TimeOrder& ahead) {
  const bool may_be_interrupted = answers_at_once(entry);
  int seen = 0;
  for (auto next = ahead.waiting().begin(); next != ahead.waiting().end(); ++next) {
    if (++seen > kFarthest || next->first - entered > kAtOnce) return std::nullopt;
    const auto* call = std::get_if<Call>(&next->second.body);
    if (call != nullptr && is_return_of(entry, *call)) {
      capture::Event found = next->second;
      ahead.waiting().erase(next);
      return found;
    }
    if (!may_be_interrupted && interrupts(next->second)) return std::nullopt;
  }
  return std::nullopt;
}

std::vector<capture::Event> take_effects(const Packet& packet, TimeOrder& ahead) {
  std::vector<capture::Event> effects;
  int seen = 0;
  for (auto next = ahead.waiting().begin(); next != ahead.waiting().end() && ++seen <= kFarthest;) {
    if (!is_caused_by(next->second, packet)) {
      ++next;
      continue;
    }
    effects.push_back(next->second);
    next = ahead.waiting().erase(next);
  }
  return effects;
}

bool has_packet(std::uint64_t frame, TimeOrder& ahead) {
  int seen = 0;
  for (const auto& [at, event] : ahead.waiting()) {
    if (++seen > kFarthest) return false;
    const auto* packet = std::get_if<Packet>(&event.body);
    if (packet != nullptr && packet->frame == frame) return true;
  }
  return false;
}

}  // namespace tcplab::reports
