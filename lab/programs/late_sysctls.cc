#include "lab/programs/late_sysctls.hh"

#include <algorithm>
#include <cerrno>

#include "base/error.hh"
#include "lab/programs/needs.hh"

namespace tcplab::lab {

namespace {

void set_sysctl(netns::Machine& machine, const std::string& name, const std::string& value,
                const std::string& release) {
  try {
    machine.sysctls().write(name, value);
  } catch (const base::SystemError& error) {
    if (name != kCongestionControl || error.error() != ENOENT) throw;
    throw Skip("it needs the congestion control " + value + ", which Linux " + release + " lacks");
  }
}

}  // namespace

std::vector<netns::HostConfig> LateSysctls::without(std::vector<netns::HostConfig> configs) const {
  for (netns::HostConfig& config : configs)
    std::erase_if(config.sysctls, [this](const auto& sysctl) {
      return std::ranges::find(names_, sysctl.first) != names_.end();
    });
  return configs;
}

void LateSysctls::set(netns::Machine& machine, const netns::HostConfig& config,
                      const std::string& release) const {
  for (const std::string& name : names_) {
    require_kernel_tcp(machine, "the sysctl " + name);
    if (!machine.sysctls().has(name))
      throw Skip("it needs the sysctl " + name + ", which Linux " + release + " lacks");
    for (const auto& [set, value] : config.sysctls)
      if (set == name) set_sysctl(machine, name, value, release);
  }
}

}  // namespace tcplab::lab
