#include "lab/network.hh"

#include <algorithm>

#include "base/error.hh"
#include "lab/programs/nft.hh"

namespace tcplab::lab {

Network::Network(boost::asio::io_context& loop, Clock& clock, Timeline& timeline,
                 CaptureFile& capture, StallWatch& stalls)
    : stalls_(stalls), frames_(timeline, capture, clock), wire_(loop, frames_) {
  frames_.guard(stalls_);
  frames_.connect(wire_);
}

netns::LinkId Network::link_of(const netns::NicConfig& nic) {
  const netns::LinkId next{static_cast<std::uint32_t>(links_.size())};
  return links_.try_emplace(nic.link, next).first->second;
}

void Network::came_up(LabHost& host) {
  for (const std::string& ruleset : host.rulesets)  // before anything can pass
    lab::load_ruleset(host.machine(), ruleset, [this] { pump(); });
  plug(host);
}

void Network::unplug(LabHost& host, const std::string& nic) {
  for (const auto& [name, port] : host.ports)
    if (nic.empty() || name == nic) host.network().add_other_neighbours(name);
  detach(host, nic);
}

void Network::detach(LabHost& host, const std::string& nic) {
  std::erase_if(host.ports, [&](const auto& plugged) {
    if (!nic.empty() && plugged.first != nic) return false;
    wire_.detach(plugged.second);
    frames_.unplugged(plugged.second);
    return true;
  });
}

void Network::plug(LabHost& host, const std::string& nic) {
  for (const netns::NicConfig& card : host.config().nics) {
    if ((!nic.empty() && card.name != nic) || host.ports.contains(card.name)) continue;
    const netns::PortId port =
        wire_.attach(host.machine().port(card.name), card.mac, link_of(card));
    host.ports[card.name] = port;
    frames_.plugged(host, card, port);
  }
}

void Network::load_ruleset(LabHost& host, const std::string& ruleset) {
  lab::load_ruleset(host.machine(), ruleset, [this] { pump(); });
  if (ruleset.find("flush ruleset") != std::string::npos) host.rulesets.clear();
  host.rulesets.push_back(ruleset);
}

void Network::forge(LabHost& to, const Forgery& forgery, netns::Bytes frame) {
  to.machine();  // says it when it is off
  for (const netns::NicConfig& nic : to.config().nics)
    if (std::equal(nic.mac.bytes.begin(), nic.mac.bytes.end(), frame.begin()) &&
        !to.ports.contains(nic.name))
      throw base::UsageError(to.name() + " is unplugged: nothing can reach its " + nic.name);
  frames_.forging(forgery);
  wire_.inject(frame);
}

void Network::pump() {
  const base::Instant began = base::now();
  wire_.pump();
  stalls_.alive(began);
}

}  // namespace tcplab::lab
