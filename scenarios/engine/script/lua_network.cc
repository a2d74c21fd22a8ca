// Networks in scripts: lab:network, and what befalls the network of one host: its firewall,
// routes, MTUs, links and addresses.
#include <algorithm>

#include "base/error.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/lab/networks.hh"
#include "scenarios/engine/script/experiment.hh"
#include "scenarios/engine/script/lua_lab.hh"

namespace tcplab::engine {

using capture::ActionVerb;

namespace {

LabHost& host_of(LuaCall& call) { return *call.self<LuaHost>().host; }

void act(LuaCall& call, capture::Action action) {
  action.host = host_of(call).name();
  action.line = call.line();
  call.experiment().act(std::move(action));
}

/// Calls `visit(key)` for each pair of the table on top of the stack; its value is on top then.
template <typename Visit>
void each_pair(lua_State* lua, const char* what, const Visit& visit) {
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) throw base::UsageError(what);
    visit(std::string(lua_tostring(lua, -2)));
  }
}

/// Pushes that field of the options, which must be a table.
void push_table(const LuaCall& call, const char* field, const char* what) {
  if (!call.has(1) || lua_getfield(call.lua, 2, field) != LUA_TTABLE) throw base::UsageError(what);
}

unsigned mtu_of(double number) {
  if (!(number >= 0 && number <= 1e9) || number != static_cast<double>(static_cast<long>(number)))
    throw base::UsageError("an MTU is a whole number of bytes");
  return static_cast<unsigned>(number);
}

/// The options of a link, on top of the stack.
LinkPlan link_plan(lua_State* lua, const std::string& name) {
  LinkPlan link{.name = name};
  each_pair(lua, "a link's options are `mtu` and `hidden`", [&](const std::string& option) {
    if (option == "mtu" && lua_type(lua, -1) == LUA_TNUMBER)
      link.mtu = mtu_of(lua_tonumber(lua, -1));
    else if (option == "hidden" && lua_isboolean(lua, -1))
      link.hidden = lua_toboolean(lua, -1) != 0;
    else
      throw base::UsageError("link " + name + " has `mtu`, a number, and `hidden`, true or false" +
                             "; not `" + option + "` so");
  });
  return link;
}

std::vector<LinkPlan> link_plans(const LuaCall& call) {
  constexpr const char* kWanted =
      "lab:network wants links by name: links = { lan = {}, wan = { mtu = 1400 } }";
  push_table(call, "links", kWanted);
  std::vector<LinkPlan> links;
  each_pair(call.lua, kWanted, [&](const std::string& name) {
    if (name.empty() || !lua_istable(call.lua, -1)) throw base::UsageError(kWanted);
    links.push_back(link_plan(call.lua, name));
  });
  lua_pop(call.lua, 1);
  return links;
}

std::vector<HostPlan> host_plans(const LuaCall& call) {
  constexpr const char* kWanted =
      "lab:network wants hosts by name, each with a list of links: hosts = { kang = { \"lan\" } }";
  push_table(call, "hosts", kWanted);
  std::vector<HostPlan> hosts;
  each_pair(call.lua, kWanted, [&](const std::string& name) {
    if (!lua_istable(call.lua, -1)) throw base::UsageError(kWanted);
    HostPlan host{name, {}};
    for (lua_Integer i = 1; i <= luaL_len(call.lua, -1); ++i) {
      if (lua_geti(call.lua, -1, i) != LUA_TSTRING) throw base::UsageError(kWanted);
      host.links.emplace_back(lua_tostring(call.lua, -1));
      lua_pop(call.lua, 1);
    }
    hosts.push_back(std::move(host));
  });
  lua_pop(call.lua, 1);
  return hosts;
}

/// The NIC that is named, itself or by its link; without a name the first one.
const netns::NicConfig& nic_at(LuaCall& call, int index) {
  LabHost& host = host_of(call);
  return call.has(index) ? host.nic(call.text(index, "the NIC or link")) : host.config().nics[0];
}

netns::RouteConfig route_to(LuaCall& call) {
  const base::Family family = call.experiment().laboratory().config().family;
  if (const LuaHost* host = call.find<LuaHost>(1)) {
    const auto& address = host_of(call).address_of(*host->host);
    return {.destination = address, .prefix_length = static_cast<unsigned>(address.size() * 8)};
  }
  const std::string text = call.text(1, "the destination");
  const netns::InterfaceAddress network = parse_network(text, family);
  return {.destination = network_address(network), .prefix_length = network.prefix_length};
}

std::string shown(const netns::RouteConfig& route) {
  return route.destination.to_string() + "/" + std::to_string(route.prefix_length);
}

}  // namespace

/// host:nft(ruleset): as `nft -f -` has it; loaded again at each boot.
int host_nft(LuaCall& call) {
  const std::string ruleset = call.text(1, "the ruleset");
  if (find_program("nft").empty()) throw Skip("the program nft is not installed");
  act(call, {.verb = ActionVerb::nft, .text = ruleset});
  call.experiment().laboratory().load_ruleset(host_of(call), ruleset);
  return call.push_self();
}

/// host:route(destination, "unreachable" | "prohibit" | "blackhole" | "none" | host or address)
int host_route(LuaCall& call) {
  netns::RouteConfig route = route_to(call);
  LabHost& host = host_of(call);
  const LuaHost* router = call.find<LuaHost>(2);
  const std::string way = router != nullptr ? host.address_of(*router->host).to_string()
                                            : call.text(2, "the kind, or the next hop");
  if (way == "none") {
    act(call, {.verb = ActionVerb::route, .value = way, .address = shown(route)});
    host.remove_route(route);
    return call.push_self();
  }
  const auto gateway = base::IpAddress::parse(way);
  if (way == "unreachable") {
    route.kind = netns::RouteKind::unreachable;
  } else if (way == "prohibit") {
    route.kind = netns::RouteKind::prohibit;
  } else if (way == "blackhole") {
    route.kind = netns::RouteKind::blackhole;
  } else if (gateway && gateway->family == route.destination.family) {
    route.gateway = *gateway;
  } else {
    throw base::UsageError(
        "a route is \"unreachable\", \"prohibit\", \"blackhole\" or \"none\", or leads to a host "
        "or an address of the run's family, not to \"" +
        way + "\"");
  }
  act(call, {.verb = ActionVerb::route,
             .value = gateway ? "" : way,
             .address = shown(route),
             .gateway = gateway ? way : ""});
  host.add_route(route);
  return call.push_self();
}

/// host:mtu(nic, n)
int host_mtu(LuaCall& call) {
  const netns::NicConfig& nic = host_of(call).nic(call.text(1, "the NIC or link"));
  const unsigned mtu = mtu_of(call.number(2, "the MTU"));
  check_mtu(host_of(call).name() + "'s " + nic.name, mtu,
            call.experiment().laboratory().config().family);
  act(call, {.verb = ActionVerb::mtu, .value = std::to_string(mtu), .nic = nic.name});
  host_of(call).set_mtu(nic.name, mtu);
  return call.push_self();
}

/// host:link(nic, "down" | "up"): as its administrator, not the cable; see unplug.
int host_link(LuaCall& call) {
  const netns::NicConfig& nic = host_of(call).nic(call.text(1, "the NIC or link"));
  const std::string state = call.text(2, "\"down\" or \"up\"");
  if (state != "down" && state != "up")
    throw base::UsageError("a link is set \"down\" or \"up\", not \"" + state + "\"");
  act(call, {.verb = ActionVerb::link, .value = state, .nic = nic.name});
  host_of(call).set_link(nic.name, state == "up");
  return call.push_self();
}

/// host:add_address("10.0.0.9/24", nic)
int host_add_address(LuaCall& call) {
  const netns::NicConfig& nic = nic_at(call, 2);
  const std::string text = call.text(1, "the address");
  auto address = parse_network(text, call.experiment().laboratory().config().family);
  if (text.find('/') == std::string::npos && !nic.addresses.empty())
    address.prefix_length = nic.addresses.front().prefix_length;
  act(call,
      {.verb = ActionVerb::add_address, .nic = nic.name, .address = address.address.to_string()});
  host_of(call).add_address(nic.name, address);
  return call.push_self();
}

/// host:remove_address("10.0.0.9")
int host_remove_address(LuaCall& call) {
  const std::string text = call.text(1, "the address");
  const auto address = base::IpAddress::parse(text.substr(0, text.find('/')));
  if (!address) throw base::UsageError("\"" + text + "\" is no address");
  act(call, {.verb = ActionVerb::remove_address, .address = address->to_string()});
  host_of(call).remove_address(*address);
  return call.push_self();
}

/// lab:network{ links = { ... }, hosts = { ... } } -> a table of hosts by their names
int lab_network(LuaCall& call) {
  call.allow_options(1, {"links", "hosts", "neighbours", "sysctls"});
  const Topology plan{link_plans(call), host_plans(call)};
  const auto hosts =
      call.experiment().laboratory().make_hosts(in_walking_order(plan), host_options(call, 1));
  lua_newtable(call.lua);
  for (LabHost* host : hosts) {
    push_object(call.lua, LuaHost{host});
    lua_setfield(call.lua, -2, host->name().c_str());
  }
  return 1;
}

}  // namespace tcplab::engine
