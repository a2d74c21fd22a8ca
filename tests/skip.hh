// Skipping a test, with its reason: a missing privilege or tool is never a pass. Ours, because
// Catch2 2.13 has no SKIP. Any skip makes the executable exit with 4, which ctest is told means
// "skipped" (SKIP_RETURN_CODE), unless something failed.
#pragma once

#include <optional>
#include <string>

namespace tcplab::tests {

/// What stands in the way of a test, as a reason to skip it; nothing when nothing does.
using Obstacle = std::optional<std::string>;

/// Can hosts be made here? User (when not root), pid and net namespaces.
Obstacle no_namespaces();
/// Are we root, in the namespace that the machine started with?
Obstacle no_root();
/// Is `program` on PATH?
Obstacle no_program(const std::string& program);

/// Writes "skipped: <reason>" and counts; SKIP_IF calls it.
void note_skip(const std::string& reason);
int skips();

}  // namespace tcplab::tests

/// SKIP_IF(no_namespaces()); at the top of a TEST_CASE. A macro, because it returns.
#define SKIP_IF(obstacle)                                                          \
  if (const ::tcplab::tests::Obstacle found_obstacle = (obstacle); found_obstacle) \
  return ::tcplab::tests::note_skip(*found_obstacle)
