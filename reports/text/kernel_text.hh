// Describes a tracepoint's report of a host's kernel in words, with the kernel's name for the
// reason.
#pragma once

#include "capture/event/event.hh"
#include "reports/text/styled_text.hh"

namespace tcplab::reports {

/// "kernel: resets, no socket (NO_SOCKET)"
StyledText kernel_text(const capture::Kernel& kernel);

}  // namespace tcplab::reports
