#include "lab/hosts/stack_build.hh"

#include <filesystem>

#include "base/error.hh"
#include "base/own_part.hh"
#include "lab/hosts/kernel_build.hh"
#include "lab/hosts/stack_choice.hh"

namespace tcplab::lab {

int build_stack(const std::string& name) {
  if (!is_known_stack(name))
    throw base::UsageError("stacks build: there is no recipe for " + name + "; there is one for " +
                           known_stack_names());
  const std::filesystem::path program = built_stack(name);
  if (program.empty()) throw base::UsageError("stacks build: set HOME or XDG_CACHE_HOME");
  return run_builder(base::find_own_part("tcplab-build-stack"), name,
                     program.parent_path().string());
}

}  // namespace tcplab::lab
