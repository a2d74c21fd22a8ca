#include "lab/laboratory_config.hh"

#include "lab/home/surroundings.hh"
#include "lab/programs/needs.hh"
#include "netns/environment.hh"

namespace tcplab::lab {

namespace {

/// After the profile's settings, because the later of two wins.
void be_patient(netns::HostConfig& config) {
  const auto& patient = sysctls_for_steps();
  config.sysctls.insert(config.sysctls.end(), patient.begin(), patient.end());
}

}  // namespace

std::string LaboratoryConfig::kernel() const {
  return on.is_own() ? on.release : running_release();
}

std::vector<netns::HostConfig> host_configs(const Topology& topology, const HostOptions& options,
                                            const LaboratoryConfig& config) {
  std::vector<netns::HostConfig> configs = lay_out(topology, config.family, options);
  std::string congestion = options.congestion;
  // A kernel host uses the default of its kernel, whatever this machine allows in namespaces.
  if (congestion.empty() && !config.on.is_own()) congestion = netns::usual_congestion_control();
  for (netns::HostConfig& host : configs) {
    netns::add_first(host, sysctls(config.timers));
    if (!congestion.empty())
      netns::add_first(host, {{"net.ipv4.tcp_congestion_control", congestion}});
    netns::add_first(host, netns::pinned_sysctls());
    if (config.is_stepped && config.timers == TimerProfile::fast) be_patient(host);
    host.sysctls.insert(host.sysctls.end(), options.sysctls.begin(), options.sysctls.end());
    if (!config.is_trusted) host.containment = usual_containment(config.script);
  }
  return configs;
}

}  // namespace tcplab::lab
