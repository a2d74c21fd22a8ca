#include "scenarios/engine/script/script.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.hh"
#include "scenarios/engine/script/question.hh"

namespace tcplab::engine {

namespace {

const LuaTable kScenario = {
    "Scenario",
    "What a scenario file returns.",
    {{"title", "string", "the title in reports"},
     {"asks", "string", "the question"},
     {"run", "fun(lab: lab)", "the experiment"},
     {"source?", "string", "where the question comes from"},
     {"article?", "string", "what the article observed"},
     {"here?", "string", "what Linux does"},
     {"why?", "string", "the explanation, with its sources"},
     {"tags?", "string[]", "words that select the scenario"},
     {"families?", "(4|6)[]", "the IP versions that it runs on; both by default"},
     {"needs?", "string[]",
      "\"root\", \"tracepoints\", \"kernel 6.15\", \"program nft\", \"sysctl net.NAME\""},
     {"quiz?", "quiz", "what `tcplab quiz` asks"}}};

/// Reads the fields of the table on top of the stack. Errors name the file and the field. All reads
/// are raw: a metamethod is code of the script, which must not run outside its limits.
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
    const std::vector<std::string> known = field_names(kScenario);
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1)) {
      const std::string key = lua_type(state_, -2) == LUA_TSTRING ? lua_tostring(state_, -2) : "?";
      if (std::ranges::find(known, key) == known.end())
        fail("a scenario has no field `" + key + "`; docs/scenarios.md lists the fields");
    }
  }

private:
  /// { power = true } has no elements, so it looks like an empty list.
  void refuse_names(const char* field) const {
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1))
      if (!lua_isinteger(state_, -2))
        fail(std::string("`") + field + "` is a list; its elements have no names");
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

const LuaTable kQuiz = {"quiz",
                        "",
                        {{"asks?", "string", "the question; that of the scenario by default"},
                         {"[integer]", "quiz_choice"}}};

const LuaTable kQuizChoice = {
    "quiz_choice",
    "One answer of a quiz. Exactly one is right; the reader sees them shuffled.",
    {{"[1]", "string"},
     {"right?", "boolean"},
     {"because?", "string", "why it is wrong, or what to add to the right answer"}}};

const LuaTable kEvent = {
    "event",
    "The event that met an expectation: the fields of docs/events.md, with times in seconds since "
    "the run began.",
    {{"t", "number"}, {"[string]", "any"}}};

}  // namespace

LuaModule scenario_module() { return {.tables = {&kScenario, &kQuiz, &kQuizChoice, &kEvent}}; }

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
  lua_State* thread = lua_newthread(state);  // stays on the main stack, so it is not collected
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
