// Compares reports with golden files, tests/reports/golden/NAME.txt. After a wanted change, run the
// tests once with TCPLAB_APPROVE=1, which writes the new files, and read the diff.
#pragma once

#include <string>

namespace tcplab::reports::tests {

/// Fails the test if `text` differs from the file. Names the first line that differs.
void check_golden(const std::string& name, const std::string& text);

}  // namespace tcplab::reports::tests
