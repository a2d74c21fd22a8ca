// Making the hosts of a run in scripts: lab:pair, lab:hosts, lab:network.
#include "app/verbs/lua_topology.hh"

#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"
#include "lab/plans/networks.hh"
#include "netns/environment.hh"

namespace tcplab::app {

namespace {

constexpr const char* kPeerWanted =
    "option `peer` is a host's name, or a list of names: peer = \"kang\"";

const LuaWords kNeighbourEntries = {.name = "neighbour_entries", .words = {"static", "dynamic"}};

}  // namespace

const LuaTable kHostOptions = {
    "host_options",
    "",
    {{"neighbours?", "neighbour_entries",
      "link addresses: fixed (by default), or found by ARP or ND"},
     {"congestion?", "string", "the congestion control: \"reno\"; \"cubic\" by default"},
     {"sysctls?", "table<string, string|number>"},
     {"etc_hosts?", "boolean", "false: the names of other hosts come only from lab:dns"},
     {"offload?", "boolean", "NICs with checksum and segmentation offload; false by default"},
     {"peer?", "string|string[]", "hosts without a kernel, whose segments the script sends"}}};

std::vector<std::string> peers_option(const LuaCall& call, int index) {
  if (!call.has(index)) return {};
  lua_State* const lua = call.lua;
  std::vector<std::string> peers;
  const int type = call.push_field(index, "peer");
  if (type == LUA_TSTRING) peers.emplace_back(lua_tostring(lua, -1));
  if (type != LUA_TNIL && type != LUA_TSTRING && type != LUA_TTABLE)
    throw base::UsageError(kPeerWanted);
  for (lua_Integer i = 1; type == LUA_TTABLE && i <= luaL_len(lua, -1); ++i) {
    if (lua_geti(lua, -1, i) != LUA_TSTRING) throw base::UsageError(kPeerWanted);
    peers.emplace_back(lua_tostring(lua, -1));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return peers;
}

lab::HostOptions host_options(const LuaCall& call, int index) {
  lab::HostOptions options;
  const auto neighbours = call.option_word(index, "neighbours", kNeighbourEntries.words);
  options.learn_neighbours = neighbours == "dynamic";
  options.congestion = call.option_text(index, "congestion").value_or("");
  const bool is_own = context_of(call).laboratory().config().on.is_own();
  if (!options.congestion.empty() && !is_own)
    if (const auto missing = netns::missing_congestion_control(options.congestion))
      throw lab::Skip(*missing);
  if (!call.has(index)) return options;
  options.peers = peers_option(call, index);
  options.has_names = call.option_flag(index, "etc_hosts", true);
  options.has_offloads = call.option_flag(index, "offload", false);
  if (options.has_offloads && !is_own)
    if (const auto missing = netns::missing_offloads()) throw lab::Skip(*missing);
  if (lua_getfield(call.lua, index + 1, "sysctls") == LUA_TTABLE) {
    for (lua_pushnil(call.lua); lua_next(call.lua, -2) != 0; lua_pop(call.lua, 1)) {
      if (lua_type(call.lua, -2) != LUA_TSTRING || lua_tostring(call.lua, -1) == nullptr)
        throw base::UsageError("option `sysctls` maps names to values");
      lua_pushvalue(call.lua, -1);
      options.sysctls.emplace_back(lua_tostring(call.lua, -3), lua_tostring(call.lua, -1));
      lua_pop(call.lua, 1);
    }
  }
  lua_pop(call.lua, 1);
  return options;
}

std::vector<lab::LabHost*> make_hosts(const LuaCall& call, const std::vector<std::string>& names,
                                      const lab::HostOptions& options) {
  return context_of(call).laboratory().power().make_hosts(lab::one_link(names), options);
}

namespace {

const LuaTable kLinkOptions = {
    "link_options",
    "",
    {{"mtu?", "integer", "the MTU of every NIC on the link; 1500 by default"},
     {"hidden?", "boolean", "other links have no route to it, as to a network behind a NAT"}}};

const LuaTable kNetworkOptions = {
    "network_options",
    "",
    {{"links", "table<string, link_options>"},
     {"hosts", "table<string, string[]>", "the links of each host, for eth0, eth1, ..."}},
    &kHostOptions};

int push_hosts(LuaCall& call, const std::vector<std::string>& names,
               const lab::HostOptions& options) {
  const auto hosts = make_hosts(call, names, options);
  luaL_checkstack(call.lua, static_cast<int>(hosts.size()), "hosts");
  for (lab::LabHost* host : hosts) push_object(call.lua, LuaHost{host});
  return static_cast<int>(hosts.size());
}

void check_plan(const LuaCall& call, int index, const lab::Topology& plan) {
  lab::lay_out(plan, base::Family::ipv4, {.peers = peers_option(call, index)});
}

void check_pair(LuaCall& call) { check_plan(call, 1, lab::one_link({"kang", "kodos"})); }

int lab_pair(LuaCall& call) {
  call.allow_options(1, kHostOptions);
  return push_hosts(call, {"kang", "kodos"}, host_options(call, 1));
}

std::vector<std::string> host_names(const LuaCall& call) {
  if (!lua_istable(call.lua, 2))
    throw base::UsageError("lab:hosts wants a list of names: lab:hosts{ \"kang\", \"kodos\" }");
  std::vector<std::string> names;
  for (lua_Integer i = 1; i <= luaL_len(call.lua, 2); ++i) {
    if (lua_geti(call.lua, 2, i) != LUA_TSTRING)
      throw base::UsageError("lab:hosts: name " + std::to_string(i) + " is not a text");
    names.emplace_back(lua_tostring(call.lua, -1));
    lua_pop(call.lua, 1);
  }
  return names;
}

void check_hosts(LuaCall& call) { check_plan(call, 2, lab::one_link(host_names(call))); }

int lab_hosts(LuaCall& call) {
  const std::vector<std::string> names = host_names(call);
  call.allow_options(2, kHostOptions);
  return push_hosts(call, names, host_options(call, 2));
}

/// Calls `visit(key)` for each pair of the table on top of the stack, with the value on top.
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

/// The options of a link, on top of the stack.
lab::LinkPlan link_plan(lua_State* lua, const std::string& name) {
  lab::LinkPlan link{.name = name};
  each_pair(lua, "a link's options are `mtu` and `hidden`", [&](const std::string& option) {
    if (option == "mtu" && lua_type(lua, -1) == LUA_TNUMBER)
      link.mtu = lab::whole_mtu(lua_tonumber(lua, -1));
    else if (option == "hidden" && lua_isboolean(lua, -1))
      link.hidden = lua_toboolean(lua, -1) != 0;
    else
      throw base::UsageError("link " + name + " has `mtu`, a number, and `hidden`, true or false" +
                             "; not `" + option + "` so");
  });
  return link;
}

std::vector<lab::LinkPlan> link_plans(const LuaCall& call) {
  constexpr const char* kWanted =
      "lab:network wants links by name: links = { lan = {}, wan = { mtu = 1400 } }";
  push_table(call, "links", kWanted);
  std::vector<lab::LinkPlan> links;
  each_pair(call.lua, kWanted, [&](const std::string& name) {
    if (name.empty() || !lua_istable(call.lua, -1)) throw base::UsageError(kWanted);
    links.push_back(link_plan(call.lua, name));
  });
  lua_pop(call.lua, 1);
  return links;
}

std::vector<lab::HostPlan> host_plans(const LuaCall& call) {
  constexpr const char* kWanted =
      "lab:network wants hosts by name, each with a list of links: hosts = { kang = { \"lan\" } }";
  push_table(call, "hosts", kWanted);
  std::vector<lab::HostPlan> hosts;
  each_pair(call.lua, kWanted, [&](const std::string& name) {
    if (!lua_istable(call.lua, -1)) throw base::UsageError(kWanted);
    lab::HostPlan host{name, {}};
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

lab::Topology network_plan(LuaCall& call) { return {link_plans(call), host_plans(call)}; }

void check_network(LuaCall& call) {
  check_plan(call, 1, lab::in_walking_order(network_plan(call)));
}

int lab_network(LuaCall& call) {
  call.allow_options(1, kNetworkOptions);
  const lab::Topology plan = network_plan(call);
  const auto hosts = context_of(call).laboratory().power().make_hosts(lab::in_walking_order(plan),
                                                                      host_options(call, 1));
  lua_newtable(call.lua);
  for (lab::LabHost* host : hosts) {
    push_object(call.lua, LuaHost{host});
    lua_setfield(call.lua, -2, host->name().c_str());
  }
  return 1;
}

}  // namespace

LuaModule topology_module() {
  return {.classes = {lua_class<LuaLab>(
              {{"pair",
                lab_pair,
                "Starts two hosts on one wire.",
                {{"options?", "host_options"}},
                {"host kang", "host kodos"},
                "",
                false,
                check_pair},
               {"hosts",
                lab_hosts,
                "Starts a host for each name, all on one wire; once per run.",
                {{"names", "string[]"}, {"options?", "host_options"}},
                {"host ..."},
                "",
                false,
                check_hosts},
               {"network",
                lab_network,
                "Starts hosts on several links; a host on more than one link is a router. Once per "
                "run.",
                {{"options", "network_options"}},
                {"table<string, host>"},
                "",
                false,
                check_network}})},
          .tables = {&kHostOptions, &kLinkOptions, &kNetworkOptions},
          .words = {kNeighbourEntries}};
}

}  // namespace tcplab::app
