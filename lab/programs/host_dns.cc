#include "lab/programs/host_dns.hh"

#include <utility>
#include <vector>

namespace tcplab::lab {

void HostDns::serve(std::unique_ptr<Resolver> resolver) {
  machine_.with_kernel_tcp("a DNS server");  // also says it when it is off
  resolver_ = std::move(resolver);
  start_resolver();
}

void HostDns::start_resolver() {
  std::vector<base::IpAddress> addresses;
  for (const netns::NicConfig& nic : machine_.config.nics)
    for (const netns::InterfaceAddress& own : nic.addresses) addresses.push_back(own.address);
  resolver_->start(machine_.get(), addresses);
}

void HostDns::use_resolvers(const std::string& resolver_file) {
  resolver_file_ = resolver_file;
  if (machine_.is_on()) machine_.get().write_resolver_file(resolver_file);
}

void HostDns::came_up() {
  if (!resolver_file_.empty()) machine_.get().write_resolver_file(resolver_file_);
  if (resolver_) start_resolver();
}

void HostDns::power_goes() {
  if (resolver_) resolver_->stop();
}

}  // namespace tcplab::lab
