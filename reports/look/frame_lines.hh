// The frames of a thread as lines.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes "      at main (client.c:14)" for each frame, and how many there are beyond `most`.
void write_frames(std::ostream& out, const std::vector<std::string>& frames, std::size_t most,
                  Paint paint, const Style& style);

}  // namespace tcplab::reports
