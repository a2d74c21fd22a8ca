// Starts the process of a run: in namespaces of its own, if its hosts need them.
#pragma once

#include <functional>
#include <span>

#include "lab/hosts/kernel_choice.hh"
#include "netns/run_space.hh"

namespace tcplab::app {

/// Runs `body` in a new process, with new namespaces (netns::start_run_space()). Where namespaces
/// are forbidden, kernel hosts run without (netns::start_run_process()), and for namespace hosts
/// this throws base::LabError, whose text also names a kernel for `--kernel`.
netns::RunSpace start_run(const lab::KernelChoice& on, std::span<const int> keep,
                          const std::function<int()>& body);

}  // namespace tcplab::app
