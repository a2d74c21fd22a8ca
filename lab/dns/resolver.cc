#include "lab/dns/resolver.hh"

#include <utility>

#include "netns/host.hh"

namespace tcplab::lab {

void Resolver::start(netns::Machine& machine, const std::vector<base::IpAddress>& addresses) {
  netns::Host* host = machine.namespaces();
  if (host == nullptr) return start_relayed(machine, addresses);
  server_ = std::make_unique<DnsServer>(
      loop_, clock_, host->network_namespace(), addresses,
      [this](std::span<const std::uint8_t> query, DnsTransport transport) {
        return answer(query, transport);
      });
}

void Resolver::start_relayed(netns::Machine& machine,
                             const std::vector<base::IpAddress>& addresses) {
  later_ = std::make_unique<Later>(clock_);
  machine.agent().serve_dns(
      addresses, [this](bool is_tcp, base::Bytes query, const netns::DnsReplier& replier) {
        const auto reply = answer(query, is_tcp ? DnsTransport::tcp : DnsTransport::udp);
        if (!reply || reply->bytes.empty() || !later_) return;
        later_->run(reply->delay, [replier, bytes = reply->bytes] { replier(bytes); });
      });
}

/// Replies that are delayed are never sent.
void Resolver::stop() {
  server_.reset();
  later_.reset();
}

std::optional<DnsReply> Resolver::answer(std::span<const std::uint8_t> query,
                                         DnsTransport transport) const {
  std::optional<DnsReply> reply = zone_.answer(query, transport);
  if (reply) tell_(reply->summary);
  return reply;
}

}  // namespace tcplab::lab
