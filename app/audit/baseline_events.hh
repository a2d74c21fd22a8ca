// How the events of a baseline are looked up.
#pragma once

#include <vector>

#include "capture/event/event.hh"

namespace tcplab::app {

inline constexpr const char* kClient = "client";  // names of hosts and programs in audit.lib.lua
inline constexpr const char* kServer = "server";
inline constexpr const char* kAfter = "after";

/// Returns the bodies of all events of a kind, in their order.
template <typename Body>
std::vector<const Body*> all_of(const std::vector<capture::Event>& events) {
  std::vector<const Body*> found;
  for (const capture::Event& event : events)
    if (const auto* body = std::get_if<Body>(&event.body)) found.push_back(body);
  return found;
}

inline bool is_end(capture::ProgramChange change) {
  return change == capture::ProgramChange::exited || change == capture::ProgramChange::killed;
}

}  // namespace tcplab::app
