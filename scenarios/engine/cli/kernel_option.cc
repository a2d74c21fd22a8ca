#include "scenarios/engine/cli/kernel_option.hh"

#include <algorithm>
#include <thread>

#include "base/error.hh"
#include "scenarios/engine/cli/command_line.hh"

namespace tcplab::engine {

void add_kernel_option(CommandLine& command, std::string& on, const std::string& group) {
  command
      .add_option("--on", on,
                  "Choose the kernel of the hosts: this one, or a User-mode Linux (tcplab kernels)")
      .option_text("this|VERSION|PATH")
      .group(group)
      .check(not_empty())
      .capture_default_str();
}

std::size_t usual_jobs(const KernelChoice& on, std::size_t most) {
  if (!on.is_own() || !on.is_virtual) return most;
  return std::max(1U, std::thread::hardware_concurrency());
}

void require_namespaces(const KernelChoice& on, const std::string& option, bool is_used) {
  if (on.is_own() && is_used)
    throw base::UsageError(option + " needs hosts in namespaces; omit it, or --on");
}

}  // namespace tcplab::engine
