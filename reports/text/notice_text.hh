// The words for what a program has noticed, and when.
#pragma once

#include <string>

#include "capture/event/notice.hh"

namespace tcplab::reports {

/// Returns "4.00 s after the fault (kodos: power_off)", with the time since the frame that told the
/// kernel, if one did; empty if there was no fault.
std::string notice_text(const capture::Notice& notice);

/// Returns a whole line: "kang's curl noticed 4.00 s after the fault (kodos: power_off), by its own
/// timer: poll returned 0". `event` is what told the program.
std::string notice_line(const capture::Notice& notice, const capture::Event& event);

}  // namespace tcplab::reports
