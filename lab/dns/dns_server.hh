// The sockets of a resolver on a host: UDP and TCP, port 53. They belong to the run's process, and
// to the network namespace of the host: queries and replies cross the wire like all other frames.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/endpoint.hh"
#include "lab/dns/dns_zone.hh"
#include "lab/wire/clock.hh"

namespace tcplab::lab {

class DnsServer {
public:
  using Answer = std::function<std::optional<DnsReply>(std::span<const std::uint8_t> query,
                                                       DnsTransport transport)>;

  /// Listens on these addresses of a host, in its network namespace. Throws base::LabError if
  /// another program has the port.
  DnsServer(boost::asio::io_context& loop, Clock& clock, int network_namespace,
            std::span<const base::IpAddress> addresses, Answer answer);
  /// Closes all sockets. Replies that are delayed are never sent.
  ~DnsServer();
  DnsServer(const DnsServer&) = delete;
  DnsServer& operator=(const DnsServer&) = delete;

private:
  struct Implementation;  // hides Boost.Asio, which is slow to compile
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tcplab::lab
