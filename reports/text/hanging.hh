// A line that is too long for the window goes on below itself, beside what it began with.
#pragma once

#include <iosfwd>
#include <string_view>

#include "reports/text/style.hh"

namespace tcplab::reports {

/// The lead, and beside it the text in as many lines as it takes.
void write_hanging(std::ostream& out, std::string_view lead, std::string_view text, Paint paint,
                   const Style& style);

}  // namespace tcplab::reports
