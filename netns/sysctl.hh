// Kernel settings of the network namespace that the caller is in: /proc/sys/net shows each
// reader its own (proc_sys_net(5)). Only names under "net.": others are the whole machine's.
#pragma once

#include <string>

namespace tcplab::netns {

/// "net.ipv4.tcp_retries2"; where a part has dots of its own, with slashes: "net/ipv4/conf/a.b/x".
/// Throws base::SystemError; base::LabError for a name outside "net.".
void write_sysctl(const std::string& name, const std::string& value);
std::string read_sysctl(const std::string& name);
bool has_sysctl(const std::string& name);

}  // namespace tcplab::netns
