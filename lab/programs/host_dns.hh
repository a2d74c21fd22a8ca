// The DNS of a host: the resolver that runs on it, if any, and its /etc/resolv.conf.
#pragma once

#include <memory>
#include <string>

#include "lab/dns/resolver.hh"
#include "lab/programs/host_machine.hh"

namespace tcplab::lab {

class HostDns {
public:
  explicit HostDns(HostMachine& machine) : machine_(machine) {}
  HostDns(const HostDns&) = delete;
  HostDns& operator=(const HostDns&) = delete;

  /// Starts a resolver on this host, which starts again at each power on.
  void serve(std::unique_ptr<Resolver> resolver);
  /// Returns its resolver; null if it has none.
  Resolver* resolver() { return resolver_.get(); }
  /// Writes /etc/resolv.conf, for later boots too.
  void use_resolvers(const std::string& resolver_file);

  void came_up();
  /// The host is about to lose its power.
  void power_goes();

private:
  void start_resolver();

  HostMachine& machine_;
  std::unique_ptr<Resolver> resolver_;
  std::string resolver_file_;  // /etc/resolv.conf
};

}  // namespace tcplab::lab
