#include "app/script/own_scenarios.hh"

namespace tcplab::app {

namespace fs = std::filesystem;

fs::path own_scenarios() {
  const fs::path program = fs::canonical("/proc/self/exe");
  const fs::path installed = program.parent_path().parent_path() / "share/tcplab/scenarios";
  return fs::is_directory(installed) ? installed : fs::path(TCPLAB_SOURCE_SCENARIOS);
}

}  // namespace tcplab::app
