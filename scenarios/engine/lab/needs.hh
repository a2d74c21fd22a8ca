// What a scenario says that it needs, and whether this machine has it. A need that is not met
// is a skip with its reason, never a pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tcplab::engine {

/// A run of a scenario that needs these listens to its hosts' kernels, as with --kernel.
inline constexpr std::string_view kTracepointsNeed = "tracepoints";

/// Nothing when the need is met, else why not. Needs: "sysctl net.ipv4.tcp_rto_max_ms",
/// "kernel 6.15", "program tcpdump", "tracepoints", "root". Throws base::UsageError for any other
/// text.
std::optional<std::string> missing_need(const std::string& need);

/// Where a program is, looked for in PATH when it has no slash; empty when it is not there.
std::string find_program(const std::string& program);

}  // namespace tcplab::engine
