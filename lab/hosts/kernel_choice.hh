// Chooses the kernel of a run's hosts: the running one (namespace hosts), or a User-mode Linux
// (kernel hosts). Finds the kernels of this machine, but runs none of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/hosts/stack_choice.hh"

namespace tcplab::lab {

/// The value of `--kernel` for the running kernel.
inline constexpr std::string_view kThisKernel = "this";

/// What the hosts of a run are made of.
struct KernelChoice {
  std::filesystem::path kernel{};  // the program; empty: namespaces of the running kernel
  std::string release{};           // "6.1.176": of the program
  bool has_tracepoints = false;    // that programs can read: the program has tracefs
  bool is_virtual = true;          // its hosts share a virtual clock, if they can; else it is real
  std::map<std::string, StackChoice> stacks{};  // of the hosts with a TCP stack of their own

  bool is_own() const { return !kernel.empty(); }
  /// Returns whether the clock jumps; with stacks, only if all hosts have one of these stacks.
  bool may_skip_time() const;
  /// Returns the value of `--kernel` that names it: "6.1" of "6.1.176".
  std::string version() const;
  /// Returns what tells such a run from one on this kernel: ", Linux 6.1.176", ", kodos=lwip".
  std::string variant() const;
  /// "kodos=lwip", for each host with a TCP stack of its own.
  std::vector<std::string> stack_words() const;
};

/// Returns the kernel that `--kernel` names: "this", a version ("6.1", "6.1.176") of a kernel that
/// known_kernels() returns, or the path of a kernel. Throws base::UsageError if there is no such
/// kernel, or if the program is not User-mode Linux.
KernelChoice choose_kernel(const std::string& name);

/// Returns the User-mode Linux kernels of this machine: linux.uml in PATH, which the package
/// user-mode-linux installs, and those in built_kernels_folder(), the newest first.
std::vector<KernelChoice> known_kernels();

/// Returns the folder of the kernels that `tcplab kernels build` has built:
/// $XDG_CACHE_HOME/tcplab/kernels. Empty if there is neither this variable nor HOME.
std::filesystem::path built_kernels_folder();

/// Returns whether the text of a kernel contains the tracefs, through which programs read
/// tracepoints.
bool has_tracefs(std::string_view text);

/// Returns the release in the text of a kernel: "6.1.176" of "Linux version 6.1.176 (...". Empty if
/// the text is not that of User-mode Linux.
std::string release_of_kernel(std::string_view text);

}  // namespace tcplab::lab
