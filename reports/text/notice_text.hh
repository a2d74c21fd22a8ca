// Describes what a program has noticed, and when.
#pragma once

#include <string>

#include "audit/notice.hh"

namespace tcplab::reports {

/// Returns "4.00 s after the fault (kodos: power_off)", and the time since the frame that informed
/// the program's kernel, if any; empty if there was no fault.
std::string notice_text(const audit::Notice& notice);

/// Returns a whole line: "kang's curl noticed 4.00 s after the fault (kodos: power_off), by its own
/// timer: poll returned 0". `event` is the one by which the program noticed.
std::string notice_line(const audit::Notice& notice, const capture::Event& event);

}  // namespace tcplab::reports
