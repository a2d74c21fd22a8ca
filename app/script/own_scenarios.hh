// Where tcplab's own scenarios are.
#pragma once

#include <filesystem>

namespace tcplab::app {

/// Returns share/tcplab/scenarios of the installation, or the folder in the source tree of the
/// build.
std::filesystem::path own_scenarios();

}  // namespace tcplab::app
