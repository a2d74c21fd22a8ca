#include "scenarios/engine/suite/run_process.hh"

#include <string>
#include <vector>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

std::string other_way() {
  const std::vector<KernelChoice> kernels = known_kernels();
  if (kernels.empty())
    return "; or install the package user-mode-linux, and give the hosts kernels of their own: "
           "tcplab run --on 6.1";
  return "; or give the hosts kernels of their own: tcplab run --on " + kernels.front().version();
}

}  // namespace

netns::RunSpace start_run(const KernelChoice& on, std::span<const int> keep,
                          const std::function<int()>& body) {
  try {
    // Where a user may make namespaces, nothing of a run can outlive its pid 1.
    return netns::start_run_space(keep, body);
  } catch (const base::LabError& error) {
    if (!on.is_own()) throw base::LabError(error.what() + other_way());
  }
  return netns::start_run_process(keep, body);
}

}  // namespace tcplab::engine
