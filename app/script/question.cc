#include "app/script/question.hh"

#include <algorithm>

namespace tcplab::app {

std::string too_many(const std::string& what, std::size_t count, const char* unit,
                     std::size_t most) {
  if (count <= most) return "";
  return what + " has " + std::to_string(count) + " " + unit + ", at most " + std::to_string(most) +
         " are allowed";
}

namespace {

using Fail = std::function<void(const std::string&)>;

// Each choice has a key.
constexpr std::size_t kFewestChoices = 2;
constexpr std::size_t kMostChoices = 6;

void refuse_long(const std::string& what, std::size_t size, std::size_t longest, const Fail& fail) {
  if (const std::string wrong = too_many(what, size, "bytes", longest); !wrong.empty())
    fail(wrong + "; shorten it");
}

/// A field of the table on top of the stack. Read raw: a metamethod is code of the script, which
/// must not run outside its limits.
std::string text_of(lua_State* state, const char* field, const std::string& whose,
                    std::size_t longest, const Fail& fail) {
  lua_pushstring(state, field);
  const int type = lua_rawget(state, -2);
  if (type != LUA_TSTRING && type != LUA_TNIL)
    fail("`" + std::string(field) + "` of " + whose + " must be a text");
  std::string text = type == LUA_TSTRING ? lua_tostring(state, -1) : "";
  refuse_long("`" + std::string(field) + "` of " + whose, text.size(), longest, fail);
  lua_pop(state, 1);
  return text;
}

bool is_right(lua_State* state, const std::string& whose, const Fail& fail) {
  lua_pushstring(state, "right");
  const int type = lua_rawget(state, -2);
  if (type != LUA_TBOOLEAN && type != LUA_TNIL) fail("`right` of " + whose + " is true or absent");
  const bool right = lua_toboolean(state, -1) != 0;
  lua_pop(state, 1);
  return right;
}

void refuse_other_keys(lua_State* state, const std::vector<std::string>& known,
                       const std::string& whose, const Fail& fail) {
  for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1)) {
    if (lua_isinteger(state, -2) != 0) continue;
    const std::string key = lua_type(state, -2) == LUA_TSTRING ? lua_tostring(state, -2) : "?";
    if (std::ranges::find(known, key) == known.end()) fail(whose + " has no field `" + key + "`");
  }
}

/// { "the text", right = true, because = "..." }, on top of the stack.
reports::QuizChoice read_choice(lua_State* state, const std::string& whose, const Fail& fail) {
  if (!lua_istable(state, -1)) fail(whose + " must be a table: { \"it succeeds\", right = true }");
  refuse_other_keys(state, {"right", "because"}, whose, fail);
  if (lua_rawgeti(state, -1, 1) != LUA_TSTRING || lua_rawlen(state, -2) != 1)
    fail(whose + " has one text, its first element");
  reports::QuizChoice choice{.text = lua_tostring(state, -1)};
  refuse_long(whose, choice.text.size(), kMostLineBytes, fail);
  lua_pop(state, 1);
  choice.right = is_right(state, whose, fail);
  choice.because = text_of(state, "because", whose, kMostTextBytes, fail);
  return choice;
}

void check(const reports::QuizQuestion& question, const Fail& fail) {
  const auto& choices = question.choices;
  if (std::ranges::count(choices, true, &reports::QuizChoice::right) != 1)
    fail("exactly one choice of `quiz` must be right: { \"...\", right = true }");
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (choices[i].text == choices[k].text) fail("two choices of `quiz` are the same");
}

}  // namespace

std::optional<reports::QuizQuestion> read_question(lua_State* state, const std::string& asks,
                                                   const Fail& fail) {
  if (lua_isnil(state, -1)) return std::nullopt;
  if (!lua_istable(state, -1))
    fail("`quiz` must be a list of choices: quiz = { { \"it succeeds\", right = true }, ... }");
  refuse_other_keys(state, {"asks"}, "`quiz`", fail);
  reports::QuizQuestion question{.asks = text_of(state, "asks", "`quiz`", kMostLineBytes, fail),
                                 .choices = {}};
  if (question.asks.empty()) question.asks = asks;
  const lua_Unsigned count = lua_rawlen(state, -1);
  if (count < kFewestChoices || count > kMostChoices) fail("`quiz` has from 2 to 6 choices");
  for (lua_Unsigned i = 1; i <= count; ++i) {
    lua_rawgeti(state, -1, static_cast<lua_Integer>(i));
    question.choices.push_back(
        read_choice(state, "choice " + std::to_string(i) + " of `quiz`", fail));
    lua_pop(state, 1);
  }
  check(question, fail);
  return question;
}

}  // namespace tcplab::app
