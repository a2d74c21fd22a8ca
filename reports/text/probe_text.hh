// Formats a USDT probe that a program has reached, in one line.
#pragma once

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// python:function__entry(0x7f5e2c3d10f0 → "/srv/a.py", 0x7f5e2c3a4570 → "fetch", 12). An arrow
/// leads to the text that was read at an address, with ".." if it is longer. `?` is an argument
/// that could not be read.
StyledText probe_text(const capture::Probe& probe);

}  // namespace tcplab::reports
