// Checks whether this machine has what a scenario needs. If not, the scenario is skipped with the
// reason; it never passes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "netns/host_config.hh"

namespace tcplab::engine {

/// A scenario that needs this runs as with --kernel.
inline constexpr std::string_view kTracepointsNeed = "tracepoints";

/// Returns why the need is not met; nothing if it is. Needs: "sysctl net.ipv4.tcp_rto_max_ms",
/// "kernel 6.15", "program tcpdump", "tracepoints", "root". Throws base::UsageError for any other
/// text.
std::optional<std::string> missing_need(const std::string& need);

/// Returns the path of a program, in PATH if its name has no slash; empty if there is none.
std::string find_program(const std::string& program);

/// Returns why programs and files cannot have this user here; empty if they can.
std::optional<std::string> missing_user(const netns::ProgramUser& user);

}  // namespace tcplab::engine
