// Skips a test, with the reason: a missing privilege or tool is never a pass. Catch2 2.13 has no
// SKIP. After a skip the executable exits with 4, unless a test failed. 4 is ctest's
// SKIP_RETURN_CODE here.
#pragma once

#include <optional>
#include <string>

namespace tcplab::tests {

/// The reason to skip a test; empty if there is none.
using Obstacle = std::optional<std::string>;

/// Returns why hosts cannot be made here; empty if they can. They need pid and net namespaces, and
/// without root a user namespace.
Obstacle no_namespaces();
/// Returns the reason if this process is not root; else empty.
Obstacle no_root();
/// Returns the reason if `program` is not on PATH; else empty.
Obstacle no_program(const std::string& program);

/// Prints "skipped: <reason>" and counts it. SKIP_IF calls it.
void note_skip(const std::string& reason);
int skips();

}  // namespace tcplab::tests

/// Skips a TEST_CASE: SKIP_IF(no_namespaces()); at its start. It is a macro because it returns.
#define SKIP_IF(obstacle)                                                          \
  if (const ::tcplab::tests::Obstacle found_obstacle = (obstacle); found_obstacle) \
  return ::tcplab::tests::note_skip(*found_obstacle)
