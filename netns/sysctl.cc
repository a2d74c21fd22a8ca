#include "netns/sysctl.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "netns/ordinary_priority.hh"

namespace tcplab::netns {

namespace {

std::string path_of(const std::string& name) {
  std::string path = name;
  if (path.find('/') == std::string::npos) std::ranges::replace(path, '.', '/');
  if (!path.starts_with("net/") || path.find("..") != std::string::npos)
    throw base::UsageError("sysctl " + name + ": only sysctls under net. belong to a host");
  return "/proc/sys/" + path;
}

}  // namespace

void write_sysctl(const std::string& name, const std::string& value) {
  const std::string attempt = "set sysctl " + name + " to " + value;
  const base::FileDescriptor file(
      base::check(attempt, open(path_of(name).c_str(), O_WRONLY | O_CLOEXEC)));
  // The kernel repeats the write of some sysctls, such as disable_ipv6 and forwarding, until nobody
  // else changes the network: it waits for the RTNL lock with restart_syscall(), not asleep.
  const OrdinaryPriority waits_fairly;
  base::check(attempt, ::write(file.get(), value.data(), value.size()));
}

std::string read_sysctl(const std::string& name) {
  const std::string attempt = "read sysctl " + name;
  const base::FileDescriptor file(
      base::check(attempt, open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC)));
  std::string value(4096, '\0');  // the kernel returns at most one page
  const long size = base::check(attempt, ::read(file.get(), value.data(), value.size()));
  value.resize(static_cast<std::size_t>(size));
  while (!value.empty() && value.back() == '\n') value.pop_back();
  return value;
}

bool has_sysctl(const std::string& name) { return access(path_of(name).c_str(), F_OK) == 0; }

}  // namespace tcplab::netns
