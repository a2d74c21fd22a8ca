#include "scenarios/engine/script/script.hh"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/error.hh"
#include "scenarios/engine/script/question.hh"

namespace tcplab::engine {

namespace {

constexpr std::array kKnownKeys = {"title", "asks",     "source", "article", "here", "why",
                                   "tags",  "families", "needs",  "quiz",    "run"};

/// Reads the fields of the table on top of the stack, naming file and field when one is wrong.
/// Raw accesses throughout: a metamethod would be the script's code, run outside of its limits.
class FieldReader {
public:
  FieldReader(lua_State* state, const std::string& file) : state_(state), file_(file) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw base::UsageError(file_ + ": " + what);
  }

  int push(const char* field) const {
    lua_pushstring(state_, field);
    return lua_rawget(state_, -2);
  }

  std::string text(const char* field, bool required) const {
    const int type = push(field);
    if (type != LUA_TSTRING && (required || type != LUA_TNIL))
      fail(std::string("`") + field + "` must be a text, it is " + lua_typename(state_, type) +
           (required && type == LUA_TNIL ? "; add " + std::string(field) + " = \"...\"" : ""));
    std::string value = type == LUA_TSTRING ? lua_tostring(state_, -1) : "";
    lua_pop(state_, 1);
    return value;
  }

  std::vector<std::string> texts(const char* field) const {
    std::vector<std::string> values;
    const int type = push(field);
    if (type != LUA_TNIL && type != LUA_TTABLE)
      fail(std::string("`") + field + "` must be a list of texts: " + field + " = { \"...\" }");
    if (type == LUA_TTABLE) refuse_names(field);
    for (lua_Unsigned i = 1; type == LUA_TTABLE && i <= lua_rawlen(state_, -1); ++i) {
      if (lua_rawgeti(state_, -1, static_cast<lua_Integer>(i)) != LUA_TSTRING &&
          !lua_isinteger(state_, -1))
        fail(std::string("`") + field + "`[" + std::to_string(i) + "] is not a text");
      values.emplace_back(lua_tostring(state_, -1));
      lua_pop(state_, 1);
    }
    lua_pop(state_, 1);
    return values;
  }

  std::vector<base::Family> families() const {
    std::vector<base::Family> families;
    for (const std::string& text : texts("families")) {
      if (text != "4" && text != "6") fail("`families` lists 4, 6 or both, not " + text);
      families.push_back(text == "4" ? base::Family::ipv4 : base::Family::ipv6);
    }
    if (families.empty()) families = {base::Family::ipv4, base::Family::ipv6};
    return families;
  }

  std::optional<reports::QuizQuestion> quiz() const {
    const std::string asks = text("asks", true);
    push("quiz");
    auto question = read_question(state_, asks, [this](const std::string& what) { fail(what); });
    lua_pop(state_, 1);
    return question;
  }

  /// Tags are words of a command line.
  std::vector<std::string> tags() const {
    std::vector<std::string> words = texts("tags");
    for (const std::string& word : words)
      if (word.empty() || word.find_first_of(" \t\n") != std::string::npos)
        fail("the tag \"" + word + "\" is not one word; write it with a hyphen");
    return words;
  }

  void refuse_unknown_fields() const {
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1)) {
      const std::string key = lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : "?";
      if (std::ranges::find(kKnownKeys, key) == kKnownKeys.end())
        fail("a scenario has no field `" + key + "`; docs/scenarios.md lists those that it has");
    }
  }

private:
  /// { power = true } has no elements; it would be taken for an empty list.
  void refuse_names(const char* field) const {
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1))
      if (!lua_isinteger(state_, -2))
        fail(std::string("`") + field + "` is a list; it has no names in it");
  }

  lua_State* state_;
  const std::string& file_;
};

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Script::Script(const std::string& file, SandboxLimits limits)
    : sandbox_(std::make_unique<Sandbox>(limits)) {
  sandbox_->run_file(file);
  lua_State* state = sandbox_->state();
  const FieldReader fields(state, file);
  if (!lua_istable(state, -1))
    fields.fail(
        "a scenario ends with: return { title = ..., asks = ..., run = function(lab) ... end }");
  fields.refuse_unknown_fields();
  const std::filesystem::path path(file);
  info_ = ScriptInfo{.name = path.stem().string(),
                     .topic = std::filesystem::absolute(path).parent_path().filename().string(),
                     .file = file,
                     .title = fields.text("title", true),
                     .asks = fields.text("asks", true),
                     .source = fields.text("source", false),
                     .article = fields.text("article", false),
                     .here = fields.text("here", false),
                     .why = fields.text("why", false),
                     .tags = fields.tags(),
                     .families = fields.families(),
                     .needs = fields.texts("needs"),
                     .quiz = fields.quiz()};
  if (fields.push("run") != LUA_TFUNCTION)
    fields.fail("`run` must be a function: run = function(lab) ... end");
  run_reference_ = luaL_ref(state, LUA_REGISTRYINDEX);
  lua_pop(state, 1);
  lines_ = read_lines(file);
}

Script::Script(ScriptInfo session)
    : sandbox_(std::make_unique<Sandbox>()), info_(std::move(session)) {}

lua_State* Script::start() {
  lua_State* state = sandbox_->state();
  lua_State* thread = lua_newthread(state);  // stays on the main stack: so it is not collected
  lua_rawgeti(thread, LUA_REGISTRYINDEX, run_reference_);
  return thread;
}

std::string Script::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > lines_.size()) return "";
  const std::string& line = lines_[static_cast<std::size_t>(number) - 1];
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace tcplab::engine
