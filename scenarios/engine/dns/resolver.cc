#include "scenarios/engine/dns/resolver.hh"

#include <utility>

namespace tcplab::engine {

void Resolver::start(int network_namespace, std::span<const base::IpAddress> addresses) {
  server_ = std::make_unique<DnsServer>(
      loop_, clock_, network_namespace, addresses,
      [this](std::span<const std::uint8_t> query, DnsTransport transport) {
        std::optional<DnsReply> reply = zone_.answer(query, transport);
        if (reply) tell_(reply->told);
        return reply;
      });
}

}  // namespace tcplab::engine
