// Icons for the actions of a scenario: 16 units square, in the current colour.
#pragma once

#include <string>

#include "capture/event/event.hh"

namespace tcplab::html {

/// Draws the picture of an action's verb; a dot if the verb has none, or if `action` is null.
std::string icon(const capture::Action* action, double x, double y);

}  // namespace tcplab::html
