// Describes a step in one sentence, for screen readers, tooltips and the table of steps.
#pragma once

#include <string>

#include "reports/html/told_run.hh"

namespace tcplab::html {

/// Returns "kang sends SYN to kodos, delivered. kang: SYN_SENT. kodos: SYN_RECV." Not escaped.
std::string words_of(const ToldRun& told, const reports::Step& step);

/// Returns the seconds since the start of the run: "1.289426"; empty for a step without a time.
std::string time_of(const ToldRun& told, const reports::Step& step);

/// Returns "power cycle" for "power_cycle".
std::string verb_words(const std::string& verb);

}  // namespace tcplab::html
