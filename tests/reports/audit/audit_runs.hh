// The runs of tests/reports/audit/runs: real ones, which mark_run.py has marked.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.hh"

namespace tcplab::reports::tests {

/// Returns the cell of runs/NAME.jsonl.
audit::Cell audit_run(const std::string& name);

/// Returns cells of every kind, as an audit has them.
audit::Audit audit_sample();

}  // namespace tcplab::reports::tests
