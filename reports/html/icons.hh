// Icons for the actions of a scenario: 16 units square, in the current colour.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::html {

/// Returns the icon of a verb; a dot if it has none.
std::string icon(std::string_view verb, double x, double y);

}  // namespace tcplab::html
