#include "lab/plans/topology.hh"

#include <algorithm>
#include <set>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using base::Family;
using lab::Topology;
using netns::HostConfig;

namespace {

using Lines = std::vector<std::string>;

/// Returns kang - lan - gateway - wan - kodos, given in another order.
Topology routed() {
  return lab::in_walking_order(
      {.links = {{.name = "wan", .mtu = 1400}, {.name = "lan"}},
       .hosts = {{"kodos", {"wan"}}, {"gateway", {"lan", "wan"}}, {"kang", {"lan"}}}});
}

HostConfig host(const Topology& topology, const std::string& name, Family family = Family::ipv4,
                const lab::HostOptions& options = {}) {
  for (HostConfig& config : lab::lay_out(topology, family, options))
    if (config.name == name) return config;
  FAIL("no host is called " + name);
  return {};
}

Lines routes(const HostConfig& config) {
  Lines lines;
  for (const auto& route : config.routes)
    lines.push_back(route.destination.to_string() + "/" + std::to_string(route.prefix_length) +
                    " by " + route.gateway.to_string());
  return lines;
}

Lines nics(const HostConfig& config) {
  Lines lines;
  for (const auto& nic : config.nics)
    lines.push_back(nic.name + " " + nic.link + " " + nic.addresses.at(0).address.to_string() +
                    "/" + std::to_string(nic.addresses.at(0).prefix_length) + " " +
                    nic.mac.to_string() + " " + std::to_string(nic.mtu));
  return lines;
}

bool forwards(const HostConfig& config) {
  return std::ranges::any_of(
      config.sysctls, [](const auto& sysctl) { return sysctl.first.ends_with("forwarding"); });
}

Lines names(const HostConfig& config) {
  Lines lines;
  for (const auto& [name, address] : config.names)
    lines.push_back(name + " " + address.to_string());
  return lines;
}

}  // namespace

TEST_CASE("/etc/hosts has all hosts, or only the host itself") {
  const Topology pair = lab::one_link({"kang", "kodos"});
  CHECK(names(host(pair, "kang")) == Lines{"kang 10.0.0.1", "kodos 10.0.0.2"});
  CHECK(names(host(pair, "kang", Family::ipv4, {.has_names = false})) == Lines{"kang 10.0.0.1"});
}

TEST_CASE("hosts on one link are numbered in their order, and need no routes") {
  const Topology pair = lab::one_link({"kang", "kodos"});
  CHECK(nics(host(pair, "kang")) == Lines{"eth0  10.0.0.1/24 02:00:00:00:00:01 1500"});
  CHECK(nics(host(pair, "kodos", Family::ipv6)) ==
        Lines{"eth0  fd00::2/64 02:00:00:00:00:02 1500"});
  CHECK(routes(host(pair, "kang")).empty());
  CHECK_FALSE(forwards(host(pair, "kang")));
  CHECK(neighbours_of(host(pair, "kang")).size() == 1);
  CHECK(host(pair, "kang", Family::ipv4, {.learn_neighbours = true}).neighbours.empty());
}

TEST_CASE("a host on a link with more than 64 hosts has no neighbours at first") {
  Lines many;
  for (int i = 1; i <= 64; ++i) many.push_back("h" + std::to_string(i));
  CHECK(first_neighbours(host(lab::one_link(many), "h1")).size() == 63);
  many.emplace_back("h65");
  const HostConfig wide = host(lab::one_link(many), "h1");
  CHECK(first_neighbours(wide).empty());
  CHECK(neighbours_of(wide).size() == 64);
}

TEST_CASE("hosts on one link share their lists in memory") {
  const auto configs = lab::lay_out(lab::one_link({"kang", "kodos"}), Family::ipv4, {});
  CHECK(configs[0].neighbours.shares_with(configs[1].neighbours));
  CHECK(configs[0].names.shares_with(configs[1].names));
}

TEST_CASE("a host on two links is a router, and the others have a route through it") {
  CHECK(nics(host(routed(), "gateway")) == Lines{"eth0 lan 10.0.1.2/24 02:00:00:00:01:02 1500",
                                                 "eth1 wan 10.0.2.2/24 02:00:00:00:02:02 1400"});
  CHECK(forwards(host(routed(), "gateway")));
  CHECK_FALSE(forwards(host(routed(), "kang")));
  CHECK(routes(host(routed(), "kang")) == Lines{"10.0.2.0/24 by 10.0.1.2"});
  CHECK(routes(host(routed(), "gateway")).empty());
  CHECK(routes(host(routed(), "kodos", Family::ipv6)) == Lines{"fd00:1::/64 by fd00:2::2"});
  CHECK(neighbours_of(host(routed(), "kang")).size() == 1);
  CHECK(neighbours_of(host(routed(), "gateway")).size() == 2);
}

TEST_CASE("a router has a link-local address on each NIC for IPv6") {
  const HostConfig gateway = host(routed(), "gateway", Family::ipv6);
  for (const auto& nic : gateway.nics) {
    CHECK(nic.addresses.size() == 2);
    CHECK(nic.addresses.at(1).address.to_string() == "fe80::2");
  }
  CHECK(host(routed(), "kang", Family::ipv6).nics[0].addresses.size() == 1);
  CHECK(host(routed(), "gateway").nics[0].addresses.size() == 1);
}

TEST_CASE("a router's name has the address nearest to each host") {
  CHECK(names(host(routed(), "kang")) ==
        Lines{"kang 10.0.1.1", "gateway 10.0.1.2", "kodos 10.0.2.3"});
  CHECK(names(host(routed(), "kodos")) ==
        Lines{"kang 10.0.1.1", "gateway 10.0.2.2", "kodos 10.0.2.3"});
}

TEST_CASE("routes take the shortest path, over several routers if necessary") {
  const Topology chain = lab::in_walking_order(
      {.links = {{"a"}, {"b"}, {"c"}},
       .hosts = {{"kang", {"a"}}, {"near", {"a", "b"}}, {"far", {"b", "c"}}, {"kodos", {"c"}}}});
  CHECK(routes(host(chain, "kang")) == Lines{"10.0.2.0/24 by 10.0.1.2", "10.0.3.0/24 by 10.0.1.2"});
  CHECK(routes(host(chain, "near")) == Lines{"10.0.3.0/24 by 10.0.2.3"});
}

TEST_CASE("a hidden link has no route from outside, but routes to the outside") {
  const Topology nat = lab::in_walking_order({.links = {{.name = "home", .hidden = true},
                                                        {.name = "lan", .hidden = true},
                                                        {.name = "wan"}},
                                              .hosts = {{"kang", {"home"}},
                                                        {"inner", {"home", "lan"}},
                                                        {"nat", {"lan", "wan"}},
                                                        {"kodos", {"wan"}}}});
  CHECK(routes(host(nat, "kodos")).empty());
  CHECK(routes(host(nat, "nat")) == Lines{"10.0.1.0/24 by 10.0.2.2"});
  CHECK(routes(host(nat, "kang")).size() == 2);
}

TEST_CASE("host 200 has its number in its IPv6 address") {
  Lines many;
  for (int i = 1; i <= 200; ++i) many.push_back("host" + std::to_string(i));
  const auto configs = lab::lay_out(
      {.links = {{"lan"}, {"wan"}},
       .hosts =
           [&] {
             std::vector<lab::HostPlan> hosts{{"router", {"lan", "wan"}}, {"kodos", {"wan"}}};
             for (int i = 0; i < 198; ++i)
               hosts.push_back({many[static_cast<std::size_t>(i)], {"lan"}});
             return hosts;
           }()},
      Family::ipv6, {});
  CHECK(configs.back().nics[0].addresses[0].address.to_string() == "fd00:1::200");
  CHECK(routes(configs[1]) == Lines{"fd00:1::/64 by fd00:2::1"});
}

TEST_CASE("1,000 hosts have a /16 for each link, and every address once") {
  std::vector<lab::HostPlan> hosts{{"router", {"lan", "wan"}}, {"kodos", {"wan"}}};
  while (hosts.size() < 1000) hosts.push_back({"h" + std::to_string(hosts.size()), {"lan"}});
  const Topology wide{.links = {{"lan"}, {"wan"}}, .hosts = hosts};
  const auto configs = lab::lay_out(wide, Family::ipv4, {});
  CHECK(nics(configs[0]) == Lines{"eth0 lan 10.1.0.1/16 02:00:00:01:00:01 1500",
                                  "eth1 wan 10.2.0.1/16 02:00:00:02:00:01 1500"});
  CHECK(nics(configs[999]) == Lines{"eth0 lan 10.1.3.232/16 02:00:00:01:03:e8 1500"});
  CHECK(routes(configs[999]) == Lines{"10.2.0.0/16 by 10.1.0.1"});
  std::set<std::string> cards;
  for (const HostConfig& config : configs)
    for (const std::string& card : nics(config)) cards.insert(card);
  CHECK(cards.size() == 1001);
  CHECK(nics(lab::lay_out(wide, Family::ipv6, {})[999]) ==
        Lines{"eth0 lan fd00:1::1000/64 02:00:00:01:03:e8 1500"});
}

TEST_CASE("254 hosts still have a /24") {
  Lines many;
  for (int i = 1; i <= 254; ++i) many.push_back("h" + std::to_string(i));
  CHECK(nics(lab::lay_out(lab::one_link(many), Family::ipv4, {}).back()) ==
        Lines{"eth0  10.0.0.254/24 02:00:00:00:00:fe 1500"});
  many.emplace_back("h255");
  CHECK(nics(lab::lay_out(lab::one_link(many), Family::ipv4, {}).back()) ==
        Lines{"eth0  10.0.0.255/16 02:00:00:00:00:ff 1500"});
}

TEST_CASE("networks that cannot be made are refused with the reason") {
  struct Wrong {
    Topology topology;
    std::string words;
  };
  const Wrong wrong = GENERATE(values<Wrong>({
      {{{{"lan"}}, {{"kang", {"lan", "wan"}}}}, "kang is on the unknown link \"wan\""},
      {{{{"lan"}}, {{"kang", {}}}}, "host kang is on no link"},
      {{{{"lan"}}, {{"kang", {"lan", "lan"}}}}, "kang is on link lan twice"},
      {{{{"lan"}}, {{"kang", {"lan"}}, {"kang", {"lan"}}}}, "two hosts are called kang"},
      {{{{"lan"}, {"wan"}}, {{"kang", {"lan"}}, {"kodos", {"wan"}}}},
       "there is no path from kang to kodos"},
      {{{{"lan", 1279}}, {{"kang", {"lan"}}}}, "link lan cannot have an MTU of 1279: IPv6"},
      {{{{"lan", 70000}}, {{"kang", {"lan"}}}}, "cannot have an MTU of 70000"},
      {{{{"lan"}}, {}}, "from 1 to 1000 hosts"},
      {{{{"lan"}}, {{"", {"lan"}}}}, "a name of 1 to 63 characters"},
      {{{{"lan"}}, {{"kang\nevil", {"lan"}}}}, "cannot be the name of a host: begin with a letter"},
      {{{{"lan"}}, {{"kang 10.0.0.2", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"../kang", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"kang.eth0", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"10.0.0.1", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"fd00::1", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"-kang", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"7", {"lan"}}}}, "cannot be the name of a host"},
      {{{{"lan"}}, {{"LocalHost", {"lan"}}}}, "no host can be called LocalHost"},
  }));
  INFO(wrong.words);
  std::string said;
  try {
    lab::lay_out(wrong.topology, Family::ipv6, {});
  } catch (const base::UsageError& error) {
    said = error.what();
  }
  CHECK(said.find(wrong.words) != std::string::npos);
  CHECK((said.find('\n') == std::string::npos || wrong.topology.hosts[0].name == "kang\nevil"));
}
