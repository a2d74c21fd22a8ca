#include "base/own_part.hh"

#include <cstdlib>

#include "base/error.hh"

namespace tcplab::base {

namespace fs = std::filesystem;

std::string find_own_part(const std::string& name) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {".", "../bin", "../libexec/tcplab"})
    if (fs::path part = (folder / place / name).lexically_normal(); fs::exists(part)) return part;
  throw LabError(name + " is neither in " + folder.string() + " nor in " +
                 (folder / "../libexec/tcplab").lexically_normal().string());
}

fs::path own_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "tcplab";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".cache/tcplab";
}

}  // namespace tcplab::base
