// Finds port scans in a capture: one address that asks many ports of a host, or one port of many
// hosts, and sends no data. The overview has one line for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/explain/ranked_connection.hh"

namespace tcplab::reports {

struct Scan {
  const RankedConnection* first;  // the worst of its connections
  std::size_t connections = 0;
  std::size_t ports = 0;
  std::size_t hosts = 0;
  std::size_t open = 0;     // answered with a SYN,ACK
  std::size_t refused = 0;  // answered with a RST
  std::set<std::uint16_t> port_numbers{};
  std::set<base::IpAddress> addresses{};  // of the hosts
  std::set<base::Endpoint> open_at{};     // those that answered with a SYN,ACK
};

class Scans {
public:
  /// Finds the scans in these connections, the worst of which come first.
  explicit Scans(const std::vector<RankedConnection>& entries);

  const std::vector<Scan>& all() const { return scans_; }
  /// Returns the scan that the connection belongs to; null if none.
  const Scan* of(const RankedConnection& entry) const;
  /// Returns true unless the connection belongs to a scan and another one stands for it.
  bool stands_alone(const RankedConnection& entry) const;

private:
  std::vector<Scan> scans_;
  std::map<const Followed*, std::size_t> index_;
};

/// Returns "394 ports", or "254 hosts".
std::string target_of(const Scan& scan);
/// Returns the ports as nmap(1) writes them: "22,80,1000-1020".
std::string text_of_ports(const std::set<std::uint16_t>& ports);
/// Returns "port scan: 394 ports, 3 open, 3 refused, 388 without an answer".
std::string words_of(const Scan& scan);

}  // namespace tcplab::reports
