// Expected texts in files: tests/reports/golden/NAME.txt. After a wanted change, run the tests once
// with TCPLAB_APPROVE=1, which writes what they got, and read the difference before committing it.
#pragma once

#include <string>

namespace tcplab::reports::tests {

/// Fails the running test when `text` is not what the file says; names the first line that differs.
void check_golden(const std::string& name, const std::string& text);

}  // namespace tcplab::reports::tests
