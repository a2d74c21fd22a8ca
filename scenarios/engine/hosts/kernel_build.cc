#include "scenarios/engine/hosts/kernel_build.hh"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/error.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"
#include "uml/parts.hh"

namespace tcplab::engine {

void build_kernel(const std::string& source) {
  const std::string folder = built_kernels_folder();
  if (folder.empty()) throw base::UsageError("kernels build: set HOME or XDG_CACHE_HOME");
  const std::string script = uml::find_kernel_builder();
  std::fflush(nullptr);
  ::execl(script.c_str(), script.c_str(), source.c_str(), folder.c_str(), nullptr);
  throw base::SystemError("run " + script, errno);
}

}  // namespace tcplab::engine
