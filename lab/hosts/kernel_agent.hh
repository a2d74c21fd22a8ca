// The agent of a kernel host, as the lab asks it.
#pragma once

#include <string>
#include <vector>

#include "netns/machine_agent.hh"
#include "uml/guest.hh"

namespace tcplab::lab {

class KernelAgent : public netns::MachineAgent {
public:
  /// The guest must live until lost_power().
  explicit KernelAgent(uml::Guest& guest) : guest_(&guest) {}
  KernelAgent(const KernelAgent&) = delete;
  KernelAgent& operator=(const KernelAgent&) = delete;

  int ask_tracer(const std::string& request) override;
  std::vector<std::string> record_tracepoints(
      const std::vector<netns::TracepointChoice>& choices) override;
  netns::TraceRecords take_tracepoints() override;
  void attach_folder(const std::string& folder, const std::string& path) override;
  void hide_folder(const std::string& folder) override;
  void serve_dns(const std::vector<base::IpAddress>& addresses,
                 const netns::DnsListener& listener) override;

  /// A program of the host has asked its resolver.
  void dns_query(bool is_tcp, base::Bytes asker, base::Bytes query);

  /// Nothing is asked any more. A reply to a query of before is dropped.
  void lost_power() { guest_ = nullptr; }

private:
  uml::Guest* guest_;  // null without power
  netns::DnsListener dns_listener_;
};

}  // namespace tcplab::lab
