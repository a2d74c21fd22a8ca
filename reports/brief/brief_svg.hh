// A picture of a run as one SVG file, for a README, an issue or a slide. It has no script and needs
// no other file. Its text is text, and it has colours for a light and a dark background.
#pragma once

#include <string>

#include "reports/brief/brief.hh"

namespace tcplab::reports {

std::string brief_svg(const Brief& brief);

}  // namespace tcplab::reports
