// Checks whether this machine has what a scenario needs. If not, the scenario is skipped with the
// reason; it never passes.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lab/hosts/kernel_choice.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

/// Thrown for a need that is not met, and by lab:skip(). It ends the run, and is not an error.
class Skip : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Returns the reason for what needs the TCP of a kernel on a host that has another TCP stack. It
/// begins with `what`.
Skip lacks_kernel_tcp(const std::string& what, const std::string& host, const std::string& stack);

/// Throws it if the machine has a TCP stack of its own. Throws base::UsageError if it is a peer,
/// because the script itself has made it one.
void require_kernel_tcp(const netns::Machine& machine, const std::string& what);

/// A scenario that needs this runs as with --tracepoints.
inline constexpr std::string_view kTracepointsNeed = "tracepoints";

/// Returns the sysctl in "sysctl net.ipv4.tcp_rto_max_ms"; empty for any other need.
std::string needed_sysctl(const std::string& need);

/// Returns why the need is not met; nothing if it is. Needs: "sysctl net.ipv4.tcp_rto_max_ms",
/// "kernel 6.15", "program tcpdump", "tracepoints", "root". Throws base::UsageError for any other
/// text. The sysctls of a kernel host are unknown before it boots, so a need of one counts as met.
std::optional<std::string> missing_need(const std::string& need, const KernelChoice& on = {});

/// Returns the release of the running kernel: uname(2).
std::string running_release();

/// Returns the path of a program, in PATH if its name has no slash; empty if there is none.
std::string find_program(const std::string& program);

/// Returns why programs and files cannot have this user here; empty if they can.
std::optional<std::string> missing_user(const netns::ProgramUser& user);

}  // namespace tcplab::lab
