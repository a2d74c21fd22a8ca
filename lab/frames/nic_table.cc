#include "lab/frames/nic_table.hh"

#include <algorithm>

namespace tcplab::lab {

namespace {

/// Zero for a frame that is too short.
netns::MacAddress destination_of(netns::Bytes frame) {
  netns::MacAddress destination;
  if (frame.size() >= destination.bytes.size())
    std::copy_n(frame.begin(), destination.bytes.size(), destination.bytes.begin());
  return destination;
}

}  // namespace

void NicTable::add(netns::PortId port, const PluggedNic& nic, const netns::MacAddress& mac) {
  nics_[port] = nic;
  names_[mac] = nic.host->name();
  links_[mac] = nic.link;
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
  const auto known = names_.find(destination_of(frame));
  return known == names_.end() ? "" : known->second;
}

std::string_view NicTable::link_of(netns::Bytes frame) const {
  const auto known = links_.find(destination_of(frame));
  return known == links_.end() ? "" : std::string_view(known->second);
}

}  // namespace tcplab::lab
