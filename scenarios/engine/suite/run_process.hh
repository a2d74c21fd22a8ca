// Starts the process of a run: in namespaces of its own, if its hosts need them.
#pragma once

#include <functional>
#include <span>

#include "netns/run_space.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"

namespace tcplab::engine {

/// Runs `body` in a new process, as netns::start_run_space(). Hosts with kernels of their own need
/// no namespaces, so where these are forbidden, as netns::start_run_process(). For other hosts it
/// throws base::LabError there, whose text also names a kernel for `--on`.
netns::RunSpace start_run(const KernelChoice& on, std::span<const int> keep,
                          const std::function<int()>& body);

}  // namespace tcplab::engine
