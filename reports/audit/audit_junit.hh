// An audit as JUnit XML: a test for each cell, with the failure as its class and the moment as its
// name. https://github.com/windyroad/JUnit-Schema
#pragma once

#include <iosfwd>

#include "audit/requirements.hh"

namespace tcplab::reports {

/// Writes a test suite. A cell that misses a requirement is a failure; one whose moment never came
/// is skipped; a run that did not work is an error. All others pass, whatever their outcome:
/// without requirements, an audit only reports.
void write_junit(std::ostream& out, const audit::Audit& audit,
                 const audit::Requirements& requirements);

}  // namespace tcplab::reports
