#include "app/suite/run_process.hh"

#include <string>
#include <vector>

#include "base/error.hh"
#include "base/limits.hh"

namespace tcplab::app {

namespace {

std::string other_way() {
  const std::vector<lab::KernelChoice> kernels = lab::known_kernels();
  if (kernels.empty())
    return "; or install the package user-mode-linux and use kernel hosts: "
           "tcplab run --kernel 6.1";
  return "; or use kernel hosts: tcplab run --kernel " + kernels.front().version();
}

/// Returns whether there are too few descriptors. Kernel hosts need even more.
bool lacks_descriptors(const base::LabError& error) {
  const auto* const failed = dynamic_cast<const base::SystemError*>(&error);
  return failed != nullptr && !base::limit_of_files(failed->error()).empty();
}

}  // namespace

netns::RunSpace start_run(const lab::KernelChoice& on, std::span<const int> keep,
                          const std::function<int()>& body) {
  try {
    // Where a user may make namespaces, nothing of a run can outlive its pid 1.
    return netns::start_run_space(keep, body);
  } catch (const base::LabError& error) {
    if (lacks_descriptors(error)) throw;
    if (!on.is_own()) throw base::LabError(error.what() + other_way());
  }
  return netns::start_run_process(keep, body);
}

}  // namespace tcplab::app
