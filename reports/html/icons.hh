// Small pictures for what a scenario does: 16 units square, drawn with the current colour.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::html {

/// For an action's verb; a dot for one that has no picture of its own.
std::string icon(std::string_view verb, double x, double y);

}  // namespace tcplab::html
