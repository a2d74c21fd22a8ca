// Resolvers in scripts: lab:dns, their names and their faults.
#include "app/script/lua_objects.hh"
#include "app/script/script_context.hh"
#include "app/verbs/lua_modules.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr std::uint32_t kTtl = 60;         // seconds, by default
constexpr double kLongestTtl = 604'800;    // a week (RFC 8767, section 4)
constexpr std::size_t kMostResolvers = 3;  // MAXNS of resolv.conf(5)

struct LuaDns {
  static constexpr const char* kLuaName = "dns";
  lab::LabHost* host;
};

const LuaTable kDnsOptions = {
    "dns_options",
    "",
    {{"[string]", "host|string|(host|string)[]|integer", "a name, and what it resolves to"},
     {"on?", "host", "the host of the resolver; by default, the last one that the run has made"},
     {"ttl?",
      "integer",
      "seconds for which an answer may be kept; 60 by default",
      {0, kLongestTtl, "seconds"}}}};

/// Adds the host or the address at that place of the stack.
void add_address(lua_State* lua, int index, lab::DnsAddresses& addresses) {
  if (const void* host = luaL_testudata(lua, index, LuaHost::kLuaName)) {
    addresses.push_back(static_cast<const LuaHost*>(host)->host->address());
    return;
  }
  const char* text = lua_type(lua, index) == LUA_TSTRING ? lua_tostring(lua, index) : nullptr;
  const auto address = text == nullptr ? std::nullopt : base::IpAddress::parse(text);
  if (!address)
    throw base::UsageError(std::string("a name resolves to hosts and addresses; ") +
                           (text == nullptr ? luaL_typename(lua, index) : text) + " is neither");
  addresses.push_back(*address);
}

/// Reads a host, an address, or a list of them.
lab::DnsAddresses read_addresses(lua_State* lua, int index) {
  lab::DnsAddresses addresses;
  index = lua_absindex(lua, index);
  if (lua_type(lua, index) != LUA_TTABLE) {
    add_address(lua, index, addresses);
    return addresses;
  }
  for (lua_Integer i = 1; lua_geti(lua, index, i) != LUA_TNIL; ++i, lua_pop(lua, 1))
    add_address(lua, -1, addresses);
  lua_pop(lua, 1);
  return addresses;
}

std::uint32_t ttl_option(const LuaCall& call) {
  const auto ttl = call.option_number(1, "ttl");
  if (!ttl) return kTtl;
  if (!(*ttl >= 0 && *ttl <= kLongestTtl) || *ttl != static_cast<std::uint32_t>(*ttl))
    throw base::UsageError("option `ttl` is a whole number of seconds, from 0 to 604800");
  return static_cast<std::uint32_t>(*ttl);
}

lab::DnsZone read_zone(const LuaCall& call) {
  lab::DnsZone zone(ttl_option(call));
  const int table = lua_absindex(call.lua, -call.count());
  for (lua_pushnil(call.lua); lua_next(call.lua, table) != 0; lua_pop(call.lua, 1)) {
    if (lua_type(call.lua, -2) != LUA_TSTRING)
      throw base::UsageError(
          "write lab:dns{ NAME = HOST }: each entry has the name that it is for");
    const std::string name = lua_tostring(call.lua, -2);
    if (name != "on" && name != "ttl") zone.set(name, read_addresses(call.lua, -1));
  }
  return zone;
}

lab::LabHost& host_option(const LuaCall& call) {
  lab::Laboratory& laboratory = context_of(call).laboratory();
  if (laboratory.hosts().all().empty())
    throw base::UsageError("there are no hosts yet: write lab:dns after lab:pair or lab:hosts");
  const bool is_given = call.push_field(1, "on") != LUA_TNIL;
  const auto* given = static_cast<const LuaHost*>(luaL_testudata(call.lua, -1, LuaHost::kLuaName));
  lua_pop(call.lua, 1);
  if (is_given && given == nullptr) throw base::UsageError("option `on` is a host");
  return given != nullptr ? *given->host : *laboratory.hosts().all().back();
}

/// Writes the resolvers of the run into each host's resolv.conf(5). Under fast timers, programs
/// ask again after 1 s, the least that it can say, instead of 5 s.
void tell_hosts(lab::Laboratory& laboratory) {
  for (const auto& host : laboratory.hosts().all()) {
    std::string text;
    for (const auto& other : laboratory.hosts().all())
      if (other->dns().resolver() != nullptr)
        text += "nameserver " + host->address_of(*other).to_string() + "\n";
    if (laboratory.config().timers == lab::TimerProfile::fast) text += "options timeout:1\n";
    host->dns().use_resolvers(text);
  }
}

void note(lab::Laboratory& laboratory, const std::string& text) {
  laboratory.timeline().append(laboratory.clock().now(), capture::Note{text});
}

void require_room(lab::Laboratory& laboratory, lab::LabHost& host) {
  std::size_t count = 0;
  for (const auto& each : laboratory.hosts().all())
    count += each->dns().resolver() != nullptr ? 1 : 0;
  if (host.dns().resolver() != nullptr)
    throw base::UsageError(host.name() + " has a resolver already; name another host: `on`");
  if (count == kMostResolvers)
    throw base::UsageError("a run has at most 3 resolvers, as resolv.conf(5)");
}

int lab_dns(LuaCall& call) {
  if (!call.has(1) || lua_type(call.lua, lua_absindex(call.lua, -call.count())) != LUA_TTABLE)
    throw base::UsageError("write lab:dns{ NAME = HOST }");
  lab::Laboratory& laboratory = context_of(call).laboratory();
  lab::LabHost& host = host_option(call);
  require_room(laboratory, host);
  const auto tell = [&laboratory, name = host.name()](const std::string& text) {
    note(laboratory, name + " answers DNS: " + text);
  };
  host.dns().serve(std::make_unique<lab::Resolver>(laboratory.loop(), laboratory.clock(),
                                                   read_zone(call), tell));
  tell_hosts(laboratory);
  note(laboratory, host.name() + " is the resolver of all hosts");
  return push_object(call.lua, LuaDns{&host});
}

lab::DnsZone& zone_of(LuaCall& call) { return call.self<LuaDns>().host->dns().resolver()->zone(); }

int dns_set(LuaCall& call) {
  const std::string name = call.text(1, "the name");
  const lab::DnsAddresses addresses =
      call.has(2) ? read_addresses(call.lua, 1 - call.count()) : lab::DnsAddresses{};
  zone_of(call).set(name, addresses);
  std::string list;
  for (const base::IpAddress& address : addresses)
    list += (list.empty() ? "" : ", ") + address.to_string();
  note(context_of(call).laboratory(),
       "DNS: " + name + (list.empty() ? " exists no longer" : " is " + list + " now"));
  return call.push_self();
}

int add_fault(LuaCall& call, int name_index, lab::DnsFault fault, const std::string& text) {
  if (call.has(name_index)) fault.name = call.text(name_index, "the name");
  zone_of(call).add(fault);
  note(context_of(call).laboratory(),
       "DNS " + text + (fault.name.empty() ? "" : ", for " + fault.name));
  return call.push_self();
}

int dns_slow(LuaCall& call) {
  const base::nanoseconds delay = call.span(1, "how much later it replies");
  return add_fault(call, 2, {.kind = lab::DnsFaultKind::slow, .name = {}, .delay = delay},
                   "replies " + base::describe(delay) + " later from now on");
}

int dns_silent(LuaCall& call) {
  return add_fault(call, 1, {.kind = lab::DnsFaultKind::silent}, "replies nothing from now on");
}

int dns_fails(LuaCall& call) {
  return add_fault(call, 1, {.kind = lab::DnsFaultKind::fails}, "replies SERVFAIL from now on");
}

int dns_stale(LuaCall& call) {
  return add_fault(call, 1, {.kind = lab::DnsFaultKind::stale}, "keeps its answers of now");
}

int dns_works(LuaCall& call) {
  zone_of(call).clear_faults();
  note(context_of(call).laboratory(), "DNS works again");
  return call.push_self();
}

const LuaParameter kOneName = {"name?", "string", "every name by default"};

}  // namespace

LuaModule dns_module() {
  return {
      .classes = {lua_class<LuaLab>({{"dns",
                                      lab_dns,
                                      "Starts a resolver on a host, and lets all hosts ask it.",
                                      {{"options", "dns_options"}},
                                      {"dns"}}}),
                  lua_class<LuaDns>(
                      {{"set",
                        dns_set,
                        "Changes what a name resolves to; without an address, it exists no longer.",
                        {{"name", "string"}, {"to?", "host|string|(host|string)[]"}},
                        {"dns"}},
                       {"slow",
                        dns_slow,
                        "Lets it reply later.",
                        {{"seconds", "number", "", kSpanRange}, kOneName},
                        {"dns"}},
                       {"silent", dns_silent, "Lets it reply nothing.", {kOneName}, {"dns"}},
                       {"fails", dns_fails, "Lets it reply SERVFAIL.", {kOneName}, {"dns"}},
                       {"stale",
                        dns_stale,
                        "Lets it keep its answers of now, whatever is set later.",
                        {kOneName},
                        {"dns"}},
                       {"works", dns_works, "Ends all its faults.", {}, {"dns"}}})},
      .tables = {&kDnsOptions}};
}

}  // namespace tcplab::app
