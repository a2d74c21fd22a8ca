// Keeps GitHub's runner from obeying workflow commands in our output. The runner obeys every line
// of a step that begins with "::", and text of scripts and programs may contain such lines.
#pragma once

#include <ostream>
#include <string>

namespace tcplab::app {

/// While it lives, the runner obeys no command. It writes "::stop-commands::TOKEN" and, at the end,
/// "::TOKEN::"; nobody else can know the token.
class WorkflowCommandsOff {
public:
  /// Does nothing if `is_on_github` is false. The stream must outlive the object.
  WorkflowCommandsOff(bool is_on_github, std::ostream& out);
  ~WorkflowCommandsOff();
  WorkflowCommandsOff(const WorkflowCommandsOff&) = delete;
  WorkflowCommandsOff& operator=(const WorkflowCommandsOff&) = delete;

private:
  std::ostream& out_;
  std::string token_;  // empty if not on GitHub
};

}  // namespace tcplab::app
