// Chooses the TCP stack of a host: that of its kernel, or one in a process (a stack host). Finds
// the stacks that `tcplab stacks build` has built.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/clock.hh"

namespace tcplab::lab {

/// The TCP stack of a stack host.
struct StackChoice {
  std::string name;     // "lwip"; of a command, its program
  std::string command;  // for sh(1); its descriptor 3 is the NIC (docs/stacks.md)
  base::nanoseconds boot = std::chrono::seconds(10);  // until it must be ready
  bool has_lab_clock = false;                         // takes its time from the lab
};

/// A stack that `tcplab stacks build` can build.
struct KnownStack {
  std::string name;           // "lwip"
  std::string title;          // "lwIP, as Debian's liblwip is configured"
  bool has_lab_clock = true;  // libslirp has the TCP of this machine behind it
};

const std::vector<KnownStack>& known_stacks();
bool is_known_stack(const std::string& name);
/// "lwip, gvisor, slirp"
std::string known_stack_names();

/// Returns the program that `tcplab stacks build` makes of a known stack, whether it exists or not:
/// $XDG_CACHE_HOME/tcplab/stacks/NAME. Empty if there is neither this variable nor HOME.
std::filesystem::path built_stack(const std::string& name);

/// Returns the program that a command starts with, without its quotes.
std::string program_of(const std::string& command);

/// Returns the stack that `--stack HOST=WHAT` names: a known one by its name, or else the command
/// itself. Throws base::UsageError for a known stack that is not built.
StackChoice choose_stack(const std::string& what);

/// Returns the stacks of hosts that the values of --stack name. Throws base::UsageError for a value
/// that is not HOST=WHAT, or for two stacks of one host.
std::map<std::string, StackChoice> choose_stacks(const std::vector<std::string>& values);

/// Lets all of them take their time from the lab. Throws base::UsageError for one that cannot.
void require_lab_clock(std::map<std::string, StackChoice>& stacks);

}  // namespace tcplab::lab
