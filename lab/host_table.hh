// The hosts of a run, in the order of its topology.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/programs/lab_host.hh"

namespace tcplab::lab {

class HostTable {
public:
  const std::vector<std::unique_ptr<LabHost>>& all() const { return hosts_; }
  LabHost& add(std::unique_ptr<LabHost> host);
  /// Returns null if no host has that name, or that address.
  LabHost* find(const std::string& name) const;
  LabHost* find(const base::IpAddress& address) const;

private:
  std::vector<std::unique_ptr<LabHost>> hosts_;
};

}  // namespace tcplab::lab
