#include "app/check/dry_network.hh"

#include <algorithm>

#include "app/check/unknown_value.hh"
#include "base/error.hh"
#include "base/nearest.hh"
#include "lab/wire/frame_filter.hh"

namespace tcplab::app {

namespace {

constexpr lua_Unsigned kMostHosts = 10'000;

}  // namespace

int push_dry_object(lua_State* lua, const char* class_name) {
  lua_newuserdatauv(lua, 0, 0);
  luaL_setmetatable(lua, class_name);
  return 1;
}

void DryNetwork::add_name(lua_State* lua, int index, std::set<std::string>& names) {
  if (lua_type(lua, index) == LUA_TSTRING)
    names.insert(lua_tostring(lua, index));
  else
    has_others_ = true;
}

int DryNetwork::push_list(lua_State* lua, int index) {
  if (!lua_istable(lua, index)) {
    has_others_ = true;
    return push_unknown_value(lua);
  }
  const auto count = static_cast<int>(std::min(lua_rawlen(lua, index), kMostHosts));
  luaL_checkstack(lua, count, "hosts");
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(lua, index, i);
    add_name(lua, -1, hosts_);
    lua_pop(lua, 1);
    push_dry_object(lua, "host");
  }
  return count;
}

int DryNetwork::push_table(lua_State* lua, int index) {
  if (!lua_istable(lua, index)) {
    has_others_ = true;
    return push_unknown_value(lua);
  }
  add_links(lua, index);
  lua_newtable(lua);
  const int made = lua_gettop(lua);
  lua_pushliteral(lua, "hosts");
  const bool is_known = lua_rawget(lua, index) == LUA_TTABLE;
  if (!is_known) has_others_ = true;
  const int wanted = lua_gettop(lua);
  if (is_known) {
    for (lua_pushnil(lua); lua_next(lua, wanted) != 0; lua_pop(lua, 1)) {
      add_name(lua, -2, hosts_);
      lua_pushvalue(lua, -2);
      push_dry_object(lua, "host");
      lua_rawset(lua, made);
    }
  }
  lua_settop(lua, made);
  return 1;
}

void DryNetwork::add_links(lua_State* lua, int index) {
  lua_pushliteral(lua, "links");
  if (lua_rawget(lua, index) == LUA_TTABLE) {
    for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) add_name(lua, -2, links_);
  } else {
    has_others_ = true;
  }
  lua_pop(lua, 1);
}

std::string DryNetwork::complaint_of_direction(const std::string& text, bool may_be_link) const {
  if (text.find_first_not_of(' ') == std::string::npos) return "";
  if (may_be_link && text.find('>') == std::string::npos)
    return has_others_ || links_.contains(text)
               ? ""
               : "\"" + text + "\" is no link of this run, and no direction: \"kang > kodos\"";
  try {
    const lab::FrameFilter filter(text, "");
    for (const std::string& host : {filter.from(), filter.to()})
      if (host != "*" && !has_others_ && !hosts_.contains(host))
        return "no host is called \"" + host + "\"" +
               (hosts_.empty() ? "" : "; " + base::nearest_words(hosts_, host));
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tcplab::app
