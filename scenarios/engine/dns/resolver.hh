// A resolver of a run: what it knows, and its sockets while its host has power.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "scenarios/engine/dns/dns_server.hh"

namespace tcplab::engine {

class Resolver {
public:
  /// `tell` hears of each query: "db A: 10.0.0.2".
  Resolver(boost::asio::io_context& loop, Clock& clock, DnsZone zone,
           std::function<void(const std::string&)> tell)
      : loop_(loop), clock_(clock), zone_(std::move(zone)), tell_(std::move(tell)) {}

  /// Its names and faults. They stay when the host loses its power.
  DnsZone& zone() { return zone_; }

  /// Answers from now on, on these addresses of its host. Throws base::LabError.
  void start(int network_namespace, std::span<const base::IpAddress> addresses);
  void stop() { server_.reset(); }

private:
  boost::asio::io_context& loop_;
  Clock& clock_;
  DnsZone zone_;
  std::function<void(const std::string&)> tell_;
  std::unique_ptr<DnsServer> server_;
};

}  // namespace tcplab::engine
