// The options of a program that a script starts: its user, environment, folder and limits.
#pragma once

#include <string>
#include <vector>

#include "capture/event/injection.hh"
#include "netns/host_config.hh"

namespace tcplab::lab {

/// A rule that a script gives for the calls of a program.
struct GivenInjection {
  capture::InjectionRule rule;
  int line = 0;              // of the script; 0: of the program's start
  bool is_optional = false;  // the run passes even if it never changes a call
};

struct ProgramOptions {
  bool watch = true;  // record its calls on TCP sockets
  netns::Privileges privileges = netns::Privileges::server;
  bool user_namespaces = false;      // may make some (user_namespaces(7))
  std::string user{};                // of the machine (passwd(5)); empty: as tcplab
  netns::Environment environment{};  // besides the usual one
  std::string folder{};              // empty: tcplab's
  std::string name{};                // on the timeline; empty: the file name of the program
  std::vector<netns::ResourceLimit> limits{};
  bool has_terminal = false;                 // instead of pipes
  std::vector<GivenInjection> injections{};  // in force from its first call on
  std::vector<std::string> stacks{};    // names of errnos, or "any": failing calls have their stack
  std::vector<std::string> abort_on{};  // the same: it is aborted at the first of these calls
  std::vector<std::string> probes{};    // patterns of USDT probes (capture/probes)
};

/// Adds the options to a request. The user's HOME, USER and LOGNAME come before `environment`.
/// Throws base::UsageError for a user that this machine does not have.
void apply(const ProgramOptions& options, netns::SpawnRequest& request);

/// Returns the ids of a user of this machine (passwd(5)). Throws base::UsageError if it has none.
netns::ProgramUser user_named(const std::string& name);

/// Returns a limit by its name in limits.conf(5): "nofile", "core". Throws base::UsageError that
/// lists the names.
netns::ResourceLimit limit_named(const std::string& name, rlim_t value);

/// Returns why this file cannot be executed, and what to do: it does not exist, is no program, or
/// is one for another architecture. Empty if the file is not the reason.
std::string why_not_executable(const std::string& path);

}  // namespace tcplab::lab
