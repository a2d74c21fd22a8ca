// The network of one host in scripts: its firewall, routes, MTUs, links and addresses.
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/host_call.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "lab/plans/networks.hh"
#include "lab/programs/needs.hh"

namespace tcplab::app {

using capture::ActionVerb;

namespace {

/// The NIC with that name, or on the link with that name; the first one if the argument is missing.
const netns::NicConfig& nic_at(LuaCall& call, int index) {
  lab::LabHost& host = host_of(call);
  return call.has(index) ? host.network().nic(call.text(index, "the NIC or link"))
                         : host.config().nics[0];
}

netns::RouteConfig route_to(LuaCall& call) {
  const base::Family family = context_of(call).laboratory().config().family;
  if (const LuaHost* host = call.find<LuaHost>(1)) {
    const auto& address = host_of(call).address_of(*host->host);
    return {.destination = address, .prefix_length = static_cast<unsigned>(address.size() * 8)};
  }
  const std::string text = call.text(1, "the destination");
  const netns::InterfaceAddress network = lab::parse_network(text, family);
  return {.destination = lab::network_address(network), .prefix_length = network.prefix_length};
}

std::string shown(const netns::RouteConfig& route) {
  return route.destination.to_string() + "/" + std::to_string(route.prefix_length);
}

int host_nft(LuaCall& call) {
  const std::string ruleset = call.text(1, "the ruleset");
  if (lab::find_program("nft").empty()) throw lab::Skip("the program nft is not installed");
  act_on_host(call, {.verb = ActionVerb::nft, .text = ruleset});
  context_of(call).laboratory().network().load_ruleset(host_of(call), ruleset);
  return call.push_self();
}

int host_route(LuaCall& call) {
  netns::RouteConfig route = route_to(call);
  lab::LabHost& host = host_of(call);
  const LuaHost* router = call.find<LuaHost>(2);
  const std::string way = router != nullptr ? host.address_of(*router->host).to_string()
                                            : call.text(2, "the kind, or the next hop");
  if (way == "none") {
    act_on_host(call, {.verb = ActionVerb::route, .value = way, .address = shown(route)});
    host.network().remove_route(route);
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
  act_on_host(call, {.verb = ActionVerb::route,
                     .value = gateway ? "" : way,
                     .address = shown(route),
                     .gateway = gateway ? way : ""});
  host.network().add_route(route);
  return call.push_self();
}

int host_mtu(LuaCall& call) {
  const netns::NicConfig& nic = host_of(call).network().nic(call.text(1, "the NIC or link"));
  const unsigned mtu = lab::whole_mtu(call.number(2, "the MTU"));
  lab::check_mtu(host_of(call).name() + "'s " + nic.name, mtu,
                 context_of(call).laboratory().config().family);
  act_on_host(call, {.verb = ActionVerb::mtu, .value = std::to_string(mtu), .nic = nic.name});
  host_of(call).network().set_mtu(nic.name, mtu);
  return call.push_self();
}

int host_link(LuaCall& call) {
  const netns::NicConfig& nic = host_of(call).network().nic(call.text(1, "the NIC or link"));
  const std::string state = call.text(2, "\"down\" or \"up\"");
  if (state != "down" && state != "up")
    throw base::UsageError("a link is set \"down\" or \"up\", not \"" + state + "\"");
  act_on_host(call, {.verb = ActionVerb::link, .value = state, .nic = nic.name});
  host_of(call).network().set_link(nic.name, state == "up");
  return call.push_self();
}

int host_add_address(LuaCall& call) {
  const netns::NicConfig& nic = nic_at(call, 2);
  const std::string text = call.text(1, "the address");
  auto address = lab::parse_network(text, context_of(call).laboratory().config().family);
  if (text.find('/') == std::string::npos && !nic.addresses.empty())
    address.prefix_length = nic.addresses.front().prefix_length;
  act_on_host(
      call,
      {.verb = ActionVerb::add_address, .nic = nic.name, .address = address.address.to_string()});
  host_of(call).network().add_address(nic.name, address);
  return call.push_self();
}

int host_remove_address(LuaCall& call) {
  const std::string text = call.text(1, "the address");
  const auto address = base::IpAddress::parse(text.substr(0, text.find('/')));
  if (!address) throw base::UsageError("\"" + text + "\" is no address");
  act_on_host(call, {.verb = ActionVerb::remove_address, .address = address->to_string()});
  host_of(call).network().remove_address(*address);
  return call.push_self();
}

}  // namespace

LuaModule network_module() {
  return {
      .classes = {lua_class<LuaHost>(
          {{"nft",
            host_nft,
            "Loads an nftables ruleset as `nft -f -` does, for later boots too.",
            {{"ruleset", "string"}},
            {"host"}},
           {"route",
            host_route,
            "Sets the route to a host, a network (\"10.9.0.0/16\") or \"default\".",
            {{"destination", "host|string"},
             {"way", "host|string",
              "\"unreachable\", \"prohibit\", \"blackhole\", \"none\", or the next hop"}},
            {"host"}},
           {"mtu",
            host_mtu,
            "Sets the largest IP packet that the NIC sends.",
            {{"nic", "string", "\"eth0\", or the name of its link"}, {"mtu", "integer"}},
            {"host"}},
           {"link",
            host_link,
            "Takes a NIC down or up, as an administrator does. The kernel knows about it, unlike "
            "with unplug.",
            {{"nic", "string"}, {"state", "\"down\"|\"up\""}},
            {"host"}},
           {"add_address",
            host_add_address,
            "Adds an address to a NIC.",
            {{"address", "string", "\"10.0.0.9\", \"10.0.0.9/16\""},
             {"nic?", "string", "the first by default"}},
            {"host"}},
           {"remove_address",
            host_remove_address,
            "Removes an address.",
            {{"address", "string"}},
            {"host"}}})}};
}

}  // namespace tcplab::app
