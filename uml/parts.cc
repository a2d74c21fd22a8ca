#include "uml/parts.hh"

#include <filesystem>
#include <string>

#include "base/error.hh"

namespace tcplab::uml {

namespace {

std::string find_part(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {".", "../bin", "../libexec/tcplab"})
    if (fs::path part = (folder / place / name).lexically_normal(); fs::exists(part)) return part;
  throw base::LabError(name + " is neither in " + folder.string() + " nor in " +
                       (folder / "../libexec/tcplab").lexically_normal().string());
}

}  // namespace

Parts find_parts() { return {find_part("tcplab-agent"), find_part("tcplab-guest.so")}; }

std::string find_kernel_builder() { return find_part("tcplab-build-kernel"); }

}  // namespace tcplab::uml
