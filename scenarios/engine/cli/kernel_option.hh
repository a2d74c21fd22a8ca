// --on: the kernel of the hosts.
#pragma once

#include <cstddef>
#include <string>

#include "scenarios/engine/hosts/kernel_choice.hh"

namespace tcplab::engine {

class CommandLine;

/// Adds --on to the command. Parsing the command line fills in `on`, for choose_kernel().
void add_kernel_option(CommandLine& command, std::string& on, const std::string& group);

/// Returns how many runs go on at once, unless the user says it: `most`, or one for each processor
/// if time jumps instead of passing.
std::size_t usual_jobs(const KernelChoice& on, std::size_t most);

/// Throws base::UsageError if the hosts have kernels of their own and the option is used, which
/// needs namespaces.
void require_namespaces(const KernelChoice& on, const std::string& option, bool is_used);

}  // namespace tcplab::engine
