// The text of a failed expectation: what was expected and seen, and the last events of all hosts.
#pragma once

#include <string>

#include "app/suite/scripted_run.hh"

namespace tcplab::app {

/// Describes the last verdict of a run, which has failed.
std::string failure_text(ScriptedRun& run);

}  // namespace tcplab::app
