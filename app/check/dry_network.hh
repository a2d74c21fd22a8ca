// The hosts and links that a script has made in a dry run (dry_run.hh), by their names.
#pragma once

#include <lua.hpp>
#include <set>
#include <string>

namespace tcplab::app {

class DryNetwork {
public:
  void add_host(const std::string& name) { hosts_.insert(name); }

  /// Pushes a host for each name in the list at `index`, and returns their number.
  int push_list(lua_State* lua, int index);
  /// Pushes a table of the hosts by name of `{ links = { lan = {} }, hosts = { kang = { "lan" } }
  /// }` at `index`.
  int push_table(lua_State* lua, int index);

  /// Returns what is wrong with a direction, "kang > kodos"; empty if nothing is. With
  /// `may_be_link`, it may be the name of a link.
  std::string complaint_of_direction(const std::string& text, bool may_be_link) const;

private:
  void add_name(lua_State* lua, int index, std::set<std::string>& names);
  void add_links(lua_State* lua, int index);

  std::set<std::string> hosts_;
  std::set<std::string> links_;
  bool has_others_ = false;  // some names are unknown
};

/// Pushes an object of a class in a dry run: it has the class's verbs, and no state.
int push_dry_object(lua_State* lua, const char* class_name);

}  // namespace tcplab::app
