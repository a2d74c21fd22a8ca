#include "lab/programs/host_sysctls.hh"

#include <cstdlib>
#include <utility>

namespace tcplab::lab {

void HostSysctls::write(const std::string& name, const std::string& value) {
  if (const auto paused = paused_.find(name); paused != paused_.end())
    paused->second = value;  // from resume() on
  else
    machine_.with_kernel_tcp("the sysctl " + name).sysctls().write(name, value);
  std::erase_if(machine_.config.sysctls, [&](const auto& sysctl) { return sysctl.first == name; });
  machine_.config.sysctls.emplace_back(name, value);  // the next incarnation has it, too
}

void HostSysctls::pause(const netns::Sysctls& sysctls) {
  if (!machine_.is_on() || !paused_.empty() || !machine_.get().own_stack().empty()) return;
  for (const auto& [name, value] : sysctls) {
    if (!machine_.get().sysctls().has(name)) continue;
    paused_[name] = machine_.get().sysctls().read(name);
    machine_.get().sysctls().write(name, value);
  }
}

void HostSysctls::resume() {
  const auto before = std::exchange(paused_, {});
  if (!machine_.is_on()) return;
  for (const auto& [name, value] : before) machine_.get().sysctls().write(name, value);
}

long HostSysctls::read(const std::string& name, long built_in) {
  if (const auto paused = paused_.find(name); paused != paused_.end())
    return std::strtol(paused->second.c_str(), nullptr, 10);
  netns::KernelSysctls& sysctls = machine_.with_kernel_tcp("the sysctl " + name).sysctls();
  return sysctls.has(name) ? std::strtol(sysctls.read(name).c_str(), nullptr, 10) : built_in;
}

}  // namespace tcplab::lab
