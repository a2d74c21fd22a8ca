#include "app/script/field_reader.hh"

#include <algorithm>

#include "base/error.hh"
#include "base/kernel_version.hh"

namespace tcplab::app {

bool is_scenario_word(std::string_view text) {
  constexpr std::string_view kAllowed =
      "-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !text.empty() && text.front() != '-' && text.front() != '.' &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

void FieldReader::fail(const std::string& what) const {
  throw base::UsageError(file_ + ": " + what);
}

int FieldReader::push(const char* field) const {
  lua_pushstring(state_, field);
  return lua_rawget(state_, -2);
}

void FieldReader::refuse_excess(const std::string& what, std::size_t count, const char* unit,
                                std::size_t most, const char* cure) const {
  if (const std::string wrong = too_many(what, count, unit, most); !wrong.empty())
    fail(wrong + "; " + cure);
}

std::string FieldReader::text(const char* field, bool required, std::size_t longest) const {
  const int type = push(field);
  if (type != LUA_TSTRING && (required || type != LUA_TNIL))
    fail(std::string("`") + field + "` must be a text, it is " + lua_typename(state_, type) +
         (required && type == LUA_TNIL ? "; add " + std::string(field) + " = \"...\"" : ""));
  if (type == LUA_TSTRING)
    refuse_excess("`" + std::string(field) + "`", lua_rawlen(state_, -1), "bytes", longest,
                  "shorten it");
  std::string value = type == LUA_TSTRING ? lua_tostring(state_, -1) : "";
  lua_pop(state_, 1);
  return value;
}

void FieldReader::replace(const char* field, std::string& value, std::size_t longest) const {
  std::string own = text(field, false, longest);
  if (!own.empty()) value = std::move(own);
}

std::string FieldReader::version(const char* field) const {
  std::string value = text(field, false);
  if (!value.empty() && !base::parse_kernel_version(value))
    fail(std::string("`") + field + "` must be a version of Linux: " + field + " = \"6.5\"");
  return value;
}

std::vector<std::string> FieldReader::texts(const char* field, std::size_t most) const {
  std::vector<std::string> values;
  const int type = push(field);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    fail(std::string("`") + field + "` must be a list of texts: " + field + " = { \"...\" }");
  if (type == LUA_TTABLE) {
    refuse_excess("`" + std::string(field) + "`", lua_rawlen(state_, -1), "elements", most,
                  "remove the others");
    refuse_names(field);
  }
  for (lua_Unsigned i = 1; type == LUA_TTABLE && i <= lua_rawlen(state_, -1); ++i) {
    if (lua_rawgeti(state_, -1, static_cast<lua_Integer>(i)) != LUA_TSTRING &&
        !lua_isinteger(state_, -1))
      fail(std::string("`") + field + "`[" + std::to_string(i) + "] is not a text");
    refuse_excess("`" + std::string(field) + "`[" + std::to_string(i) + "]",
                  std::string_view(lua_tostring(state_, -1)).size(), "bytes", kMostLineBytes,
                  "shorten it");
    values.emplace_back(lua_tostring(state_, -1));
    lua_pop(state_, 1);
  }
  lua_pop(state_, 1);
  return values;
}

std::vector<base::Family> FieldReader::families() const {
  std::vector<base::Family> families;
  for (const std::string& text : texts("families", 2)) {
    if (text != "4" && text != "6") fail("`families` lists 4, 6 or both, not " + text);
    const base::Family family = text == "4" ? base::Family::ipv4 : base::Family::ipv6;
    if (std::ranges::find(families, family) != families.end())
      fail("`families` lists " + text + " twice; remove one of them");
    families.push_back(family);
  }
  if (families.empty()) families = {base::Family::ipv4, base::Family::ipv6};
  return families;
}

std::optional<reports::QuizQuestion> FieldReader::quiz() const {
  const std::string asks = text("asks", true);
  push("quiz");
  auto question = read_question(state_, asks, [this](const std::string& what) { fail(what); });
  lua_pop(state_, 1);
  return question;
}

/// Tags are words of a command line.
std::vector<std::string> FieldReader::tags() const {
  std::vector<std::string> words = texts("tags");
  for (const std::string& word : words)
    if (!is_scenario_word(word)) fail("the tag \"" + word + "\" is not valid: " + kScenarioWord);
  return words;
}

std::optional<reports::RfcRequirement> FieldReader::requirement(
    const std::vector<std::string>& known) const {
  const int type = push("requires");
  if (type == LUA_TNIL) {
    lua_pop(state_, 1);
    return std::nullopt;
  }
  if (type != LUA_TTABLE)
    fail("`requires` must be a table: requires = { id = \"MUST-58\", level = \"MUST\", ... }");
  refuse_unknown_fields(known, "`requires`");
  reports::RfcRequirement requirement{.id = text("id", true),
                                      .rfc = text("rfc", true),
                                      .says = text("says", true),
                                      .met = text("met", true)};
  if (!is_scenario_word(requirement.id))
    fail("the `id` of `requires` is not valid: " + std::string(kScenarioWord));
  const std::string level = text("level", true);
  if (!reports::requirement_level(level))
    fail("the `level` of `requires` is MUST, SHOULD, MAY or behaviour, not " + level);
  requirement.level = *reports::requirement_level(level);
  lua_pop(state_, 1);
  return requirement;
}

void FieldReader::refuse_unknown_fields(const std::vector<std::string>& known,
                                        const std::string& of) const {
  for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1)) {
    const std::string key = lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : "?";
    if (std::ranges::find(known, key) == known.end())
      fail(of + " has no field `" + key + "`; docs/scenarios.md lists the fields");
  }
}

/// { power = true } has no elements, so it looks like an empty list.
void FieldReader::refuse_names(const char* field) const {
  for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1))
    if (!lua_isinteger(state_, -2))
      fail(std::string("`") + field + "` is a list; its elements have no names");
}

}  // namespace tcplab::app
