// What a scenario does, in words.
#pragma once

#include <string>

#include "capture/event/event.hh"

namespace tcplab::reports {

/// Returns what follows the verb: `dnc: "hello\n"`, "back in 500 ms", "(1400) kang > kodos"; may be
/// empty.
std::string detail_text(const capture::Action& action);

/// Returns "type dnc: "hello\n"": the verb as scripts write it, and the details.
std::string action_text(const capture::Action& action);

}  // namespace tcplab::reports
