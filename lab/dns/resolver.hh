// A resolver of a run: its zone, and its sockets while its host has power.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/dns/dns_server.hh"
#include "lab/dns/later.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class Resolver {
public:
  /// `tell` is called for each query: "db A: 10.0.0.2".
  Resolver(boost::asio::io_context& loop, Clock& clock, DnsZone zone,
           std::function<void(const std::string&)> tell)
      : loop_(loop), clock_(clock), zone_(std::move(zone)), tell_(std::move(tell)) {}

  /// Its names and faults. They stay when the host loses its power.
  DnsZone& zone() { return zone_; }

  /// Answers from now on, on these addresses of its host. Throws base::LabError. The machine must
  /// keep its power until stop().
  void start(netns::Machine& machine, const std::vector<base::IpAddress>& addresses);
  void stop();

private:
  void start_relayed(netns::Machine& machine, const std::vector<base::IpAddress>& addresses);
  std::optional<DnsReply> answer(std::span<const std::uint8_t> query, DnsTransport transport) const;

  boost::asio::io_context& loop_;
  Clock& clock_;
  DnsZone zone_;
  std::function<void(const std::string&)> tell_;
  std::unique_ptr<DnsServer> server_;
  std::unique_ptr<Later> later_;  // for the replies of a machine without namespaces
};

}  // namespace tcplab::lab
