// Which host and NIC each port of the wire belongs to, and which host has a hardware address.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lab/programs/lab_host.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

struct PluggedNic {
  LabHost* host = nullptr;
  std::uint32_t interface = 0;  // in the capture
  std::string link;
  std::string name{};  // on its host
};

class NicTable {
public:
  void add(netns::PortId port, const PluggedNic& nic, const netns::MacAddress& mac);
  void remove(netns::PortId port) { nics_.erase(port); }

  /// Null if nothing is plugged in there.
  const PluggedNic* find(netns::PortId port) const;
  /// Empty if nothing is plugged in there.
  const std::string& host_of(netns::PortId port) const;
  /// Returns the host with the frame's destination address; empty for a frame to all. Hosts off the
  /// wire keep their addresses.
  std::string receiver_of(netns::Bytes frame) const;

  /// Returns the link of the NIC with the frame's destination address; empty if no host has it.
  std::string_view link_of(netns::Bytes frame) const;

private:
  std::map<netns::PortId, PluggedNic> nics_;
  std::map<netns::MacAddress, std::string> names_;
  std::map<netns::MacAddress, std::string> links_;
};

}  // namespace tcplab::lab
