// Describes a step in one sentence, for screen readers, tooltips and the table of steps.
#pragma once

#include <string>

#include "reports/html/page_run.hh"

namespace tcplab::html {

/// Returns "kang sends SYN to kodos, delivered. kang: SYN_SENT. kodos: SYN_RECV." Not escaped.
std::string words_of(const PageRun& page, const reports::Step& step);

/// Returns the step in the words of a presentation, without what headers contain: "kang sends a SYN
/// to kodos. kang: SYN_SENT". Not escaped.
std::string headline_of(const PageRun& page, const reports::Step& step);

/// Returns the seconds since the run began: "1.289426"; empty for a line without a time.
std::string time_of(const PageRun& page, const reports::Step& step);

/// Returns "kodos: power cycle", "kang: type dnc: "hello\n"". Not escaped.
std::string words_of(const capture::Action& action);

}  // namespace tcplab::html
