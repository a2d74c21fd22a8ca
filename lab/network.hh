// The network of a run: the wire with its links, the frames on it, and the cables and firewalls of
// the hosts.
#pragma once

#include <map>
#include <string>

#include "lab/frames/wire_watch.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

class Network {
public:
  Network(boost::asio::io_context& loop, Clock& clock, Timeline& timeline, CaptureFile& capture,
          StallWatch& stalls);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// What happens to the frames.
  WireWatch& frames() { return frames_; }
  const WireWatch& frames() const { return frames_; }
  /// True if the run has a link of that name.
  bool has_link(const std::string& name) const { return links_.contains(name); }

  /// Lets a host that has just got its power use the network: loads its rulesets first.
  void came_up(LabHost& host);
  /// Unplugs the cable of one NIC, or of every NIC if the name is empty.
  void unplug(LabHost& host, const std::string& nic = "");
  void plug(LabHost& host, const std::string& nic = "");
  /// Takes a host that is about to lose its power off the wire.
  void power_goes(LabHost& host) { detach(host, ""); }
  /// Loads an nftables ruleset, now and each time that the host is powered on.
  void load_ruleset(LabHost& host, const std::string& ruleset);

  /// Sends a frame that no host sent: Ethernet, to one of the host's NICs. Throws base::UsageError
  /// if that NIC is not on the wire.
  void forge(LabHost& to, const Forgery& forgery, netns::Bytes frame);
  /// Processes every frame that waits on a port.
  void pump();

private:
  void detach(LabHost& host, const std::string& nic);
  netns::LinkId link_of(const netns::NicConfig& nic);

  StallWatch& stalls_;
  WireWatch frames_;
  netns::Wire wire_;
  std::map<std::string, netns::LinkId> links_;  // by name
};

}  // namespace tcplab::lab
