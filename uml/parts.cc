#include "uml/parts.hh"

#include <filesystem>

#include "base/error.hh"

namespace tcplab::uml {

Parts find_parts() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {".", "../bin", "../libexec/tcplab"}) {
    const fs::path at = (folder / place).lexically_normal();
    if (fs::exists(at / "tcplab-agent") && fs::exists(at / "tcplab-guest.so"))
      return {at / "tcplab-agent", at / "tcplab-guest.so"};
  }
  throw base::LabError("tcplab-agent and tcplab-guest.so are neither in " + folder.string() +
                       " nor in " + (folder / "../libexec/tcplab").lexically_normal().string());
}

}  // namespace tcplab::uml
