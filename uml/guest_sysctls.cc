#include "uml/guest_sysctls.hh"

#include <algorithm>
#include <cerrno>

#include "base/error.hh"

namespace tcplab::uml {

namespace {

std::string sysctl_path(const std::string& name) {
  std::string path = name;
  if (path.find('/') == std::string::npos) std::ranges::replace(path, '.', '/');
  if (!path.starts_with("net/") || path.find("..") != std::string::npos)
    throw base::UsageError("sysctl " + name + ": only sysctls under net. belong to a host");
  return "/proc/sys/" + path;
}

}  // namespace

void GuestSysctls::write(const std::string& name, const std::string& value) {
  const std::string path = sysctl_path(name);
  try {
    files_.write(path, value);
  } catch (const Refusal& refusal) {
    throw base::SystemError("set sysctl " + name + " to " + value, refusal.error());
  }
}

std::string GuestSysctls::read(const std::string& name) {
  const std::string path = sysctl_path(name);
  try {
    std::string value = files_.read(path);
    while (!value.empty() && value.back() == '\n') value.pop_back();
    return value;
  } catch (const Refusal& refusal) {
    throw base::SystemError("read sysctl " + name, refusal.error());
  }
}

bool GuestSysctls::has(const std::string& name) {
  try {
    read(name);
    return true;
  } catch (const base::SystemError& error) {
    if (error.error() == ENOENT) return false;
    return true;  // one that can only be written
  }
}

}  // namespace tcplab::uml
