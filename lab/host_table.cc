#include "lab/host_table.hh"

#include <algorithm>

namespace tcplab::lab {

LabHost& HostTable::add(std::unique_ptr<LabHost> host) {
  hosts_.push_back(std::move(host));
  return *hosts_.back();
}

LabHost* HostTable::find(const std::string& name) const {
  const auto found = std::ranges::find(hosts_, name, [](const auto& host) { return host->name(); });
  return found == hosts_.end() ? nullptr : found->get();
}

LabHost* HostTable::find(const base::IpAddress& address) const {
  for (const auto& host : hosts_)
    for (const netns::NicConfig& nic : host->config().nics)
      for (const netns::InterfaceAddress& own : nic.addresses)
        if (own.address == address) return host.get();
  return nullptr;
}

}  // namespace tcplab::lab
