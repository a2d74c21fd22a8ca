#include "netns/environment.hh"

#include <algorithm>
#include <sstream>

#include "netns/host_config.hh"
#include "netns/sysctl.hh"

namespace tcplab::netns {

namespace {

constexpr const char* kUsual = "cubic";  // CONFIG_DEFAULT_TCP_CONG of the common distributions
constexpr const char* kAlways = "reno";  // built into every kernel
constexpr const char* kAllowed = "net.ipv4.tcp_allowed_congestion_control";

std::vector<std::string> allowed_here() {
  std::istringstream words(read_sysctl(kAllowed));
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

bool is_allowed(const std::string& name) {
  const auto all = allowed_here();
  return std::ranges::find(all, name) != all.end();
}

Sysctls make_pinned() {
  Sysctls all = {{"net.ipv4.tcp_rmem", "4096 131072 33554432"},  // Linux 6.18
                 {"net.ipv4.tcp_wmem", "4096 16384 4194304"}};
  const Sysctls nic = {{"accept_local", "0"},        {"accept_redirects", "1"},
                       {"arp_accept", "0"},          {"arp_announce", "0"},
                       {"arp_filter", "0"},          {"arp_ignore", "0"},
                       {"drop_gratuitous_arp", "0"}, {"promote_secondaries", "0"}};
  for (const auto& [name, value] : nic)
    for (const char* where : {"all", "eth0"})
      all.emplace_back("net.ipv4.conf." + std::string(where) + "." + name, value);
  const Sysctls neighbours = {{"base_reachable_time_ms", "30000"},
                              {"delay_first_probe_time", "5"},
                              {"gc_stale_time", "60"},
                              {"mcast_solicit", "3"},
                              {"retrans_time_ms", "1000"},
                              {"ucast_solicit", "3"}};
  for (const auto& [name, value] : neighbours)
    for (const char* family : {"ipv4", "ipv6"})
      all.emplace_back("net." + std::string(family) + ".neigh.eth0." + name, value);
  return all;
}

}  // namespace

const Sysctls& pinned_sysctls() {
  static const Sysctls kPinned = make_pinned();
  return kPinned;
}

std::string usual_congestion_control() { return is_allowed(kUsual) ? kUsual : kAlways; }

std::optional<std::string> missing_congestion_control(const std::string& name) {
  if (is_allowed(name)) return std::nullopt;
  std::string there;
  for (const std::string& word : allowed_here()) there += (there.empty() ? "" : ", ") + word;
  return "it needs the congestion control " + name +
         ", which this machine does not allow in network namespaces; allowed: " + there +
         "; fix, as root: modprobe tcp_" + name + ", and add it to the sysctl " + kAllowed;
}

void add_first(HostConfig& config, const Sysctls& added) {
  static const std::string kFirst = ".eth0.";
  Sysctls settings;
  for (const auto& [name, value] : added) {
    const auto at = name.find(kFirst);
    for (const NicConfig& nic : config.nics) {
      if (at == std::string::npos && &nic != &config.nics.front()) continue;
      std::string own = name;
      if (at != std::string::npos) own.replace(at, kFirst.size(), "." + nic.name + ".");
      settings.emplace_back(own, value);
    }
  }
  config.sysctls.insert(config.sysctls.begin(), settings.begin(), settings.end());
}

std::optional<std::string> missing_offloads() {
  if (preferred_port_kind() == PortKind::tap) return std::nullopt;
  return "it needs TAP: with offload = true a veth pair would deliver corrupted frames as correct; "
         "fix: unset TCPLAB_PORTS, and see that this user can open /dev/net/tun (tcplab doctor)";
}

std::vector<std::string> environment_notes() {
  if (is_allowed(kUsual)) return {};
  return {
      "The congestion control is reno by default, because this machine does not allow cubic in "
      "network namespaces (" +
      std::string(kAllowed) + ")."};
}

}  // namespace tcplab::netns
