// An audit as JSON, for other programs: facts as values, and the words of the table beside them.
#pragma once

#include <iosfwd>

#include "audit/audit.hh"

namespace tcplab::reports {

/// Writes one object with `format` "tcplab-audit", `version` 1, `title` and `cells`. Times are in
/// nanoseconds. A member that does not apply is left out.
void write_json(std::ostream& out, const audit::Audit& audit);

}  // namespace tcplab::reports
