// Writes a long text in several lines, indented below a lead.
#pragma once

#include <iosfwd>
#include <string_view>

#include "reports/text/style.hh"

namespace tcplab::reports {

/// Writes the lead, and the text beside it in as many lines as needed.
void write_hanging(std::ostream& out, std::string_view lead, std::string_view text, Paint paint,
                   const Style& style);

}  // namespace tcplab::reports
