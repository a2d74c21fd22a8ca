// The HTML of one cell of an audit, for all pages with cells.
#pragma once

#include <string>
#include <string_view>

#include "audit/audit.hh"

namespace tcplab::reports {

/// Returns the markup as a link to the cell's page, if it has one.
std::string linked(const std::string& markup, const audit::Cell& cell);

/// Returns the paragraph with the mark and the words of the outcome, linked to the cell's page.
std::string outcome_markup(const audit::Cell& cell);

/// Returns "hangs", for a class of audit.css.
std::string_view outcome_class(const audit::Cell& cell);

}  // namespace tcplab::reports
