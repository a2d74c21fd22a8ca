#include "scenarios/engine/lab/nic_table.hh"

#include <algorithm>

namespace tcplab::engine {

void NicTable::add(netns::PortId port, const PluggedNic& nic, const netns::MacAddress& mac) {
  nics_[port] = nic;
  names_[mac] = nic.host->name();
}

const PluggedNic* NicTable::find(netns::PortId port) const {
  const auto found = nics_.find(port);
  return found == nics_.end() ? nullptr : &found->second;
}

const std::string& NicTable::host_of(netns::PortId port) const {
  static const std::string kNobody;
  const PluggedNic* found = find(port);
  return found == nullptr ? kNobody : found->host->name();
}

std::string NicTable::receiver_of(netns::Bytes frame) const {
  netns::MacAddress destination;
  if (frame.size() < destination.bytes.size()) return "";
  std::copy_n(frame.begin(), destination.bytes.size(), destination.bytes.begin());
  const auto known = names_.find(destination);
  return known == names_.end() ? "" : known->second;
}

}  // namespace tcplab::engine
