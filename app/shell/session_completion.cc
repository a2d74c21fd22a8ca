// The words that complete a line, from the values of the session. Runs no code of the script: no
// metamethod, no call.
#include <algorithm>

#include "app/shell/completion.hh"
#include "app/shell/session.hh"

namespace tcplab::app {

namespace {

using Words = std::vector<std::string>;

void add_keys(lua_State* lua, int table, const CompletionQuery& query, Words& words) {
  table = lua_absindex(lua, table);
  for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) continue;
    const std::string key = lua_tostring(lua, -2);
    if (!key.starts_with(query.prefix) || (key.starts_with("_") && query.prefix.empty())) continue;
    words.push_back(key);
  }
}

/// The methods and the fields of a class: upvalues of its __index (lua_binding.cc).
void add_members(lua_State* lua, const CompletionQuery& query, Words& words) {
  const bool is_call = query.separator == ':';
  lua_getfield(lua, -1, "__index");
  if (lua_iscfunction(lua, -1)) {
    lua_getupvalue(lua, -1, is_call ? 1 : 2);
    add_keys(lua, -1, query, words);
    lua_pop(lua, 1);
  } else if (lua_istable(lua, -1)) {  // of a text
    add_keys(lua, -1, query, words);
  }
  lua_pop(lua, 1);
}

/// Pushes the value of "net.kang"; nil if there is none.
void push_path(lua_State* lua, const std::string& path) {
  lua_pushglobaltable(lua);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (lua_istable(lua, -1)) {
      lua_pushlstring(lua, path.data() + begin, end - begin);
      lua_rawget(lua, -2);
    } else {
      lua_pushnil(lua);
    }
    lua_remove(lua, -2);
    begin = end + 1;
  }
}

void add_members_of_value(lua_State* lua, const CompletionQuery& query, Words& words) {
  push_path(lua, query.path);
  if (lua_istable(lua, -1)) {
    add_keys(lua, -1, query, words);
  } else if (lua_getmetatable(lua, -1) != 0) {
    add_members(lua, query, words);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

}  // namespace

std::vector<std::string> completions(lua_State* lua, const std::string& before,
                                     std::string& prefix) {
  const CompletionQuery query = completion_query(before);
  prefix = query.prefix;
  Words words;
  switch (query.kind) {
    case CompletionQuery::Kind::nothing:
      break;
    case CompletionQuery::Kind::name:
      lua_pushglobaltable(lua);
      add_keys(lua, -1, query, words);
      lua_pop(lua, 1);
      break;
    case CompletionQuery::Kind::member:
      if (query.class_name.empty()) {
        add_members_of_value(lua, query, words);
      } else {
        if (luaL_getmetatable(lua, query.class_name.c_str()) == LUA_TTABLE)
          add_members(lua, query, words);
        lua_pop(lua, 1);
      }
      break;
    case CompletionQuery::Kind::text:
      for (const std::string& word : words_of(query.method))
        if (word.starts_with(query.prefix)) words.push_back(word);
      break;
  }
  std::ranges::sort(words);
  return words;
}

}  // namespace tcplab::app
