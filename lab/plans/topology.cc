#include "lab/plans/topology.hh"

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <set>

#include "base/error.hh"
#include "base/nearest.hh"
#include "lab/plans/networks.hh"

namespace tcplab::lab {

namespace {

using base::Family;
using base::UsageError;

constexpr std::size_t kMostHosts = 1000;
constexpr const char* kFirstNic = "eth0";
constexpr std::size_t kMostNarrowHosts = 254;  // that fit in a /24
constexpr std::size_t kMostLinks = 100;
// On a link with more hosts, a host has an entry only for those that it talks to.
constexpr std::size_t kMostNeighbours = 64;
constexpr std::size_t kLongestName = 63;  // of a host, RFC 1035 section 2.3.4
constexpr unsigned kNoWay = ~0U;

bool is_on(const HostPlan& host, const std::string& link) {
  return std::ranges::find(host.links, link) != host.links.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Programs look the name up in hosts(5), so it must not be an address or another host's name.
void check_host_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (name.empty() || name.size() > kLongestName)
    throw UsageError("a host has a name of 1 to " + std::to_string(kLongestName) + " characters");
  if (!is_letter(name.front()) || !std::ranges::all_of(name, is_allowed))
    throw UsageError("\"" + name +
                     "\" cannot be the name of a host: begin with a letter, and use " +
                     "only letters, digits, \"-\" and \"_\"");
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "localhost")
    throw UsageError("no host can be called " + name + ": every host calls itself so");
}

void check_host(const HostPlan& host, const Topology& topology) {
  check_host_name(host.name);
  if (host.links.empty())
    throw UsageError("host " + host.name + " is on no link; give it one: " + host.name +
                     " = { \"lan\" }");
  std::set<std::string> seen;
  for (const std::string& link : host.links) {
    if (!seen.insert(link).second) throw UsageError(host.name + " is on link " + link + " twice");
    if (std::ranges::find(topology.links, link, &LinkPlan::name) == topology.links.end())
      throw UsageError(host.name + " is on the unknown link \"" + link + "\"; name it in `links`");
  }
}

void check_parts(const Topology& topology, Family family) {
  if (topology.hosts.empty() || topology.hosts.size() > kMostHosts)
    throw UsageError("a run has from 1 to " + std::to_string(kMostHosts) + " hosts");
  if (topology.links.size() > kMostLinks)
    throw UsageError("a run has at most " + std::to_string(kMostLinks) + " links");
  std::set<std::string> names;
  for (const LinkPlan& link : topology.links) check_mtu("link " + link.name, link.mtu, family);
  for (const HostPlan& host : topology.hosts) {
    check_host(host, topology);
    if (!names.insert(host.name).second)
      throw UsageError("two hosts are called " + host.name + "; give each a name of its own");
  }
}

using Neighbours = base::SharedVector<netns::NeighbourConfig>;
using Names = base::SharedVector<std::pair<std::string, base::IpAddress>>;

/// Lays out one topology. Hosts and links have an index here; their number is one more.
class Layout {
public:
  Layout(const Topology& topology, Family family);

  netns::HostConfig host(std::size_t index, const HostOptions& options) const;

private:
  const HostPlan& plan(std::size_t host) const { return topology_.hosts[host]; }
  std::size_t link_index(const std::string& name) const;
  bool is_wide() const { return topology_.hosts.size() > kMostNarrowHosts; }
  unsigned prefix() const { return family_ == Family::ipv6 ? 64 : is_wide() ? 16 : 24; }
  base::IpAddress address(std::size_t link, std::size_t host) const;
  netns::MacAddress mac(std::size_t link, std::size_t host) const;
  netns::NicConfig nic(std::size_t host, std::size_t position) const;
  Neighbours neighbours_on(std::size_t link, const std::string& nic) const;
  Names names_for(const std::vector<std::string>& links) const;
  void add_neighbours(netns::HostConfig& config, std::size_t host) const;
  void add_routes(netns::HostConfig& config, std::size_t host) const;
  void add_names(netns::HostConfig& config, std::size_t host) const;
  std::vector<unsigned> distances_to(std::size_t link) const;
  std::optional<base::IpAddress> next_hop(std::size_t from,
                                          const std::vector<unsigned>& distances) const;

  const Topology& topology_;
  Family family_;
  std::vector<std::vector<std::size_t>> members_;  // of each link: its hosts
  std::vector<std::vector<unsigned>> distances_;   // of each link: see distances_to()
  // Of each link: what all hosts share that are on it alone.
  std::vector<Neighbours> neighbours_;
  std::vector<Names> names_;
};

Layout::Layout(const Topology& topology, Family family)
    : topology_(topology), family_(family), members_(topology.links.size()) {
  for (std::size_t host = 0; host < topology.hosts.size(); ++host)
    for (const std::string& link : plan(host).links) members_[link_index(link)].push_back(host);
  for (std::size_t link = 0; link < topology.links.size(); ++link)
    distances_.push_back(distances_to(link));
  for (std::size_t link = 0; link < topology.links.size(); ++link) {
    neighbours_.push_back(neighbours_on(link, kFirstNic));
    names_.push_back(names_for({topology.links[link].name}));
  }
}

std::size_t Layout::link_index(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(topology_.links, name, &LinkPlan::name) -
                                  topology_.links.begin());
}

base::IpAddress Layout::address(std::size_t link, std::size_t host) const {
  const bool only = topology_.links[link].name.empty();
  const std::string net = only ? "0" : std::to_string(link + 1);
  const std::string number = std::to_string(host + 1);
  if (family_ == Family::ipv4 && is_wide())
    return base::IpAddress::parse("10." + net + "." + std::to_string((host + 1) / 256) + "." +
                                  std::to_string((host + 1) % 256))
        .value();
  if (family_ == Family::ipv4) return base::IpAddress::parse("10.0." + net + "." + number).value();
  return base::IpAddress::parse("fd00:" + (only ? "" : net + ":") + ":" + number).value();
}

netns::MacAddress Layout::mac(std::size_t link, std::size_t host) const {
  const std::size_t net = topology_.links[link].name.empty() ? 0 : link + 1;
  const std::size_t wide = is_wide() ? 0x10000 : 0x100;
  return netns::MacAddress::local(static_cast<std::uint32_t>(net * wide + host + 1));
}

netns::NicConfig Layout::nic(std::size_t host, std::size_t position) const {
  const std::size_t link = link_index(plan(host).links[position]);
  netns::NicConfig card{.name = position == 0 ? kFirstNic : "eth" + std::to_string(position),
                        .mac = mac(link, host),
                        .addresses = {{address(link, host), prefix()}},
                        .mtu = topology_.links[link].mtu,
                        .link = topology_.links[link].name};
  // For a forwarded packet, a router sends neighbour solicitations from its link-local address, and
  // none if it has no such address (ndisc_send_ns()).
  if (family_ == Family::ipv6 && plan(host).links.size() > 1)
    card.addresses.push_back(
        {base::IpAddress::parse("fe80::" + std::to_string(host + 1)).value(), prefix()});
  return card;
}

/// Returns an entry for each host on a link.
Neighbours Layout::neighbours_on(std::size_t link, const std::string& nic) const {
  std::vector<netns::NeighbourConfig> neighbours;
  for (const std::size_t host : members_[link])
    neighbours.push_back({.nic = nic, .address = address(link, host), .mac = mac(link, host)});
  return Neighbours(std::move(neighbours));
}

void Layout::add_neighbours(netns::HostConfig& config, std::size_t host) const {
  config.adds_neighbours_later = std::ranges::any_of(plan(host).links, [&](const auto& link) {
    return members_[link_index(link)].size() > kMostNeighbours;
  });
  if (plan(host).links.size() == 1) {
    config.neighbours = neighbours_[link_index(plan(host).links.front())];
    return;
  }
  for (const netns::NicConfig& card : config.nics)
    for (const auto& each : neighbours_on(link_index(card.link), card.name))
      config.neighbours.push_back(each);
}

/// Returns the number of routers between each host and a link; 0 for a host on it.
std::vector<unsigned> Layout::distances_to(std::size_t link) const {
  std::vector<unsigned> distances(topology_.hosts.size(), kNoWay);
  std::vector<bool> visited(topology_.links.size());  // links
  std::deque<std::size_t> reached;
  const auto visit = [&](std::size_t next, unsigned distance) {
    if (visited[next]) return;
    visited[next] = true;
    for (const std::size_t host : members_[next]) {
      if (distances[host] != kNoWay) continue;
      distances[host] = distance;
      reached.push_back(host);
    }
  };
  const bool hidden = topology_.links[link].hidden;
  visit(link, 0);
  for (; !reached.empty(); reached.pop_front())
    for (const std::string& name : plan(reached.front()).links)
      if (const std::size_t next = link_index(name); !hidden || topology_.links[next].hidden)
        visit(next, distances[reached.front()] + 1);
  return distances;
}

/// Returns the first neighbour that is nearer, on the first link to it.
std::optional<base::IpAddress> Layout::next_hop(std::size_t from,
                                                const std::vector<unsigned>& distances) const {
  for (std::size_t router = 0; router < distances.size(); ++router) {
    if (distances[router] != distances[from] - 1) continue;
    for (const std::string& shared : plan(from).links)
      if (is_on(plan(router), shared)) return address(link_index(shared), router);
  }
  return std::nullopt;
}

void Layout::add_routes(netns::HostConfig& config, std::size_t host) const {
  for (std::size_t link = 0; link < topology_.links.size(); ++link) {
    const auto& distances = distances_[link];
    if (distances[host] == 0 || distances[host] == kNoWay) continue;
    netns::RouteConfig route{.prefix_length = prefix()};
    route.destination = network_address({address(link, 0), prefix()});
    route.gateway = next_hop(host, distances).value();
    config.routes.push_back(route);
  }
}

/// Names each host by its address on one of the links, else by that of its first NIC.
Names Layout::names_for(const std::vector<std::string>& links) const {
  std::vector<std::pair<std::string, base::IpAddress>> names;
  for (std::size_t host = 0; host < topology_.hosts.size(); ++host) {
    const auto& own = plan(host).links;
    const auto shared = std::ranges::find_if(own, [&](const std::string& link) {
      return std::ranges::find(links, link) != links.end();
    });
    const std::string& link = shared == own.end() ? own.front() : *shared;
    names.emplace_back(plan(host).name, address(link_index(link), host));
  }
  return Names(std::move(names));
}

void Layout::add_names(netns::HostConfig& config, std::size_t host) const {
  const auto& links = plan(host).links;
  config.names = links.size() == 1 ? names_[link_index(links.front())] : names_for(links);
}

netns::HostConfig Layout::host(std::size_t index, const HostOptions& options) const {
  netns::HostConfig config;
  config.name = plan(index).name;
  const std::size_t cards = plan(index).links.size();
  for (std::size_t card = 0; card < cards; ++card) config.nics.push_back(nic(index, card));
  for (netns::NicConfig& card : config.nics) card.has_offloads = options.has_offloads;
  if (!options.learn_neighbours) add_neighbours(config, index);
  add_routes(config, index);
  if (options.has_names)
    add_names(config, index);
  else
    config.names = {{config.name, config.nics.front().addresses.front().address}};
  if (cards > 1)
    config.sysctls.emplace_back(
        family_ == Family::ipv4 ? "net.ipv4.conf.all.forwarding" : "net.ipv6.conf.all.forwarding",
        "1");
  return config;
}

/// Checks that each host can be reached, hidden or not: a NAT leads out of a hidden link.
void check_paths(const Topology& topology) {
  std::set<std::string> links(topology.hosts.front().links.begin(),
                              topology.hosts.front().links.end());
  const auto joins = [&](const HostPlan& host) {
    return std::ranges::any_of(host.links, [&](const auto& link) { return links.contains(link); });
  };
  for (std::size_t known = 0; known != links.size();) {
    known = links.size();
    for (const HostPlan& host : topology.hosts)
      if (joins(host)) links.insert(host.links.begin(), host.links.end());
  }
  for (const HostPlan& host : topology.hosts)
    if (!joins(host))
      throw UsageError("there is no path from " + topology.hosts.front().name + " to " + host.name +
                       "; a host on links of both would be their router");
}

/// A peer forwards nothing, and somebody with a kernel must be there to talk to.
void check_peers(const Topology& topology, const std::vector<std::string>& peers) {
  std::set<std::string> names;
  for (const HostPlan& host : topology.hosts) names.insert(host.name);
  std::set<std::string> with_kernel = names;
  for (const std::string& peer : peers) {
    if (!names.contains(peer))
      throw UsageError("option `peer`: no host is called \"" + peer + "\"; " +
                       base::nearest_words(names, peer));
    if (std::ranges::find(topology.hosts, peer, &HostPlan::name)->links.size() > 1)
      throw UsageError("option `peer`: " + peer + " is on several links; a peer is on one");
    with_kernel.erase(peer);
    if (with_kernel.empty())
      throw UsageError("option `peer`: at least one host must have a kernel");
  }
}

}  // namespace

Topology one_link(const std::vector<std::string>& hosts) {
  Topology topology{.links = {LinkPlan{}}, .hosts = {}};
  for (const std::string& host : hosts) topology.hosts.push_back({host, {""}});
  return topology;
}

Topology in_walking_order(Topology topology) {
  std::ranges::sort(topology.links, {}, &LinkPlan::name);
  std::ranges::sort(topology.hosts, {}, &HostPlan::name);
  std::stable_partition(topology.hosts.begin(), topology.hosts.end(),
                        [](const HostPlan& host) { return host.links.size() == 1; });
  Topology walked;
  const auto meet = [](auto& from, auto& to, const auto& matches) {
    const auto met =
        std::stable_partition(from.begin(), from.end(), [&](const auto& x) { return !matches(x); });
    to.insert(to.end(), met, from.end());
    from.erase(met, from.end());
  };
  while (!topology.hosts.empty()) {  // once for each part that is connected
    walked.hosts.push_back(topology.hosts.front());
    topology.hosts.erase(topology.hosts.begin());
    for (std::size_t next = walked.hosts.size() - 1; next < walked.hosts.size(); ++next) {
      const std::vector<std::string> links = walked.hosts[next].links;
      for (const std::string& link : links) {
        meet(topology.links, walked.links, [&](const LinkPlan& plan) { return plan.name == link; });
        meet(topology.hosts, walked.hosts, [&](const HostPlan& host) { return is_on(host, link); });
      }
    }
  }
  walked.links.insert(walked.links.end(), topology.links.begin(), topology.links.end());
  return walked;
}

std::vector<netns::HostConfig> lay_out(const Topology& topology, Family family,
                                       const HostOptions& options) {
  check_parts(topology, family);
  check_paths(topology);
  check_peers(topology, options.peers);
  const Layout layout(topology, family);
  std::vector<netns::HostConfig> configs;
  for (std::size_t host = 0; host < topology.hosts.size(); ++host) {
    configs.push_back(layout.host(host, options));
    configs.back().is_peer =
        std::ranges::find(options.peers, configs.back().name) != options.peers.end();
  }
  return configs;
}

}  // namespace tcplab::lab
