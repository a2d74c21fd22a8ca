// Faults, and what they do to frames, in words.
#pragma once

#include <span>
#include <string>

#include "capture/event/event.hh"

namespace tcplab::reports {

/// Returns the whole rule: `delay (50.0 ms) kang > kodos, tcp, called "slow path"`.
std::string fault_text(const capture::FaultRule& fault);

/// Returns what identifies the fault: `delay "slow path"`; without a name, the whole rule.
std::string fault_label(const capture::FaultRule& fault);

/// Returns "delayed 50.0 ms by delay "slow path"; stepped"; empty without effects. `to` is the host
/// that the frame is for.
std::string effects_text(std::span<const capture::Effect> effects, const std::string& to);

inline std::string effects_text(const capture::Packet& packet) {
  return effects_text(packet.effects, packet.to);
}

/// As effects_text(), after "lost: " or "held: " if that is the frame's fate.
std::string fate_text(capture::Fate fate, std::span<const capture::Effect> effects,
                      const std::string& to);

}  // namespace tcplab::reports
