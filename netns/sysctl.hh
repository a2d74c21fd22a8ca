// Reads and writes sysctls of the caller's network namespace: each process sees its own
// /proc/sys/net (proc_sys_net(5)). Accepts only names under "net."; other sysctls belong to the
// whole machine.
#pragma once

#include <string>

namespace tcplab::netns {

/// A name is "net.ipv4.tcp_retries2", or, if a part contains dots, "net/ipv4/conf/a.b/x".
/// All three throw base::UsageError for a name outside "net.", the first two base::SystemError.
void write_sysctl(const std::string& name, const std::string& value);
std::string read_sysctl(const std::string& name);
bool has_sysctl(const std::string& name);

}  // namespace tcplab::netns
