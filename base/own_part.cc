#include "base/own_part.hh"

#include <filesystem>

#include "base/error.hh"

namespace tcplab::base {

std::string find_own_part(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {".", "../bin", "../libexec/tcplab"})
    if (fs::path part = (folder / place / name).lexically_normal(); fs::exists(part)) return part;
  throw LabError(name + " is neither in " + folder.string() + " nor in " +
                 (folder / "../libexec/tcplab").lexically_normal().string());
}

}  // namespace tcplab::base
