#include "app/script/script.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/script/field_reader.hh"
#include "app/script/script_error.hh"
#include "app/script/since.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

const LuaTable kScenario = {
    "Scenario",
    "What a scenario file returns.",
    {{"title", "string", "the title in reports"},
     {"asks", "string", "the question"},
     {"run", "fun(lab: lab, case?: scenario_case)", "the experiment"},
     {"source?", "string", "where the question comes from"},
     {"article?", "string", "what the article observed"},
     {"here?", "string", "what Linux does"},
     {"why?", "string", "the explanation, with its sources"},
     {"tags?", "string[]", "words that select the scenario"},
     {"families?", "(4|6)[]", "the IP versions that it runs on; both by default"},
     {"needs?", "string[]",
      "\"root\", \"tracepoints\", \"kernel 6.15\", \"program nft\", \"sysctl net.NAME\""},
     {"since?", "kernel_version", "its expectations hold on this version of Linux and newer ones"},
     {"quiz?", "quiz", "what `tcplab quiz` asks"},
     {"requires?", "requirement", "the requirement on a TCP stack that `tcplab conform` tests"},
     {"cases?", "scenario_case[]", "a run for each; `run` gets its table after the lab"}}};

const LuaTable kCase = {"scenario_case",
                        "One case of a scenario. Other fields are parameters.",
                        {{"name", "string", "one word; the scenario is called SCENARIO-NAME"},
                         {"title?", "string", "instead of the scenario's, as the next fields"},
                         {"asks?", "string"},
                         {"source?", "string"},
                         {"article?", "string"},
                         {"here?", "string"},
                         {"why?", "string"},
                         {"since?", "kernel_version"},
                         {"[string]", "any"}}};

void refuse_long_name(const FieldReader& fields, const std::string& name) {
  const std::string wrong =
      too_many("its name, " + name + ",", name.size(), "bytes", kMostNameBytes);
  if (!wrong.empty()) fields.fail(wrong + "; choose a shorter one");
}

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

const LuaTable kRequirement = {
    "requirement",
    "A requirement on a TCP stack.",
    {{"id", "string", "\"MUST-58\" of RFC 9293, or \"RFC5961-3.2-a\""},
     {"level", "\"MUST\"|\"SHOULD\"|\"MAY\"|\"behaviour\"", "how much the RFC demands it"},
     {"rfc", "string", "the RFC and its section"},
     {"says", "string", "what the RFC says, in other words"},
     {"met", "string", "what counts as met"}}};

const LuaTable kEvent = {
    "event",
    "The event that met an expectation: the fields of docs/events.md, with times in seconds since "
    "the run began.",
    {{"t", "number"}, {"[string]", "any"}}};

}  // namespace

LuaModule scenario_module() {
  return {.tables = {&kScenario, &kCase, &kQuiz, &kQuizChoice, &kRequirement, &kEvent},
          .words = {kernel_versions()}};
}

Script::Script(const std::string& file, SandboxLimits limits)
    : sandbox_(std::make_unique<Sandbox>(limits)) {
  includes_ = std::make_unique<Includes>(*sandbox_, file);
  lua_pushstring(sandbox_->state(), ("@" + file).c_str());
  lua_setfield(sandbox_->state(), LUA_REGISTRYINDEX, kScenarioFile);
  sandbox_->run_file(file);
  lua_State* state = sandbox_->state();
  const FieldReader fields(state, file);
  if (!lua_istable(state, -1))
    fields.fail(
        "a scenario ends with: return { title = ..., asks = ..., run = function(lab) ... end }");
  fields.refuse_unknown_fields(field_names(kScenario));
  const std::filesystem::path path(file);
  if (!is_scenario_word(path.stem().string()))
    fields.fail("the name of the file is not valid for a scenario: " + std::string(kScenarioWord) +
                "; rename the file");
  refuse_long_name(fields, path.stem().string());
  info_ = ScriptInfo{.name = path.stem().string(),
                     .topic = std::filesystem::absolute(path).parent_path().filename().string(),
                     .file = file,
                     .title = fields.text("title", true),
                     .asks = fields.text("asks", true),
                     .source = fields.long_text("source"),
                     .article = fields.long_text("article"),
                     .here = fields.long_text("here"),
                     .why = fields.long_text("why"),
                     .tags = fields.tags(),
                     .families = fields.families(),
                     .needs = fields.texts("needs"),
                     .since = fields.version("since"),
                     .quiz = fields.quiz(),
                     .requirement = fields.requirement(field_names(kRequirement))};
  if (fields.push("run") != LUA_TFUNCTION)
    fields.fail("`run` must be a function: run = function(lab) ... end");
  run_reference_ = luaL_ref(state, LUA_REGISTRYINDEX);
  read_cases(fields);
  lua_pop(state, 1);
  lines_ = read_lines(file);
}

Script::Script(ScriptInfo session)
    : sandbox_(std::make_unique<Sandbox>()), info_(std::move(session)) {}

namespace {

void check_name(const FieldReader& fields, const ScriptInfo& one, std::set<std::string>& names) {
  if (!is_scenario_word(one.case_name))
    fields.fail("the name of a case, \"" + one.case_name + "\", is not valid: " + kScenarioWord);
  refuse_long_name(fields, one.name);
  if (!names.insert(one.case_name).second)
    fields.fail("two cases are called \"" + one.case_name + "\"");
}

/// The scenario with what the case on top of the stack replaces.
ScriptInfo with_case(ScriptInfo info, const FieldReader& fields) {
  info.case_name = fields.text("name", true);
  info.name += "-" + info.case_name;
  info.title += " (" + info.case_name + ")";
  fields.replace("title", info.title);
  fields.replace("asks", info.asks);
  fields.replace("source", info.source, kMostTextBytes);
  fields.replace("article", info.article, kMostTextBytes);
  fields.replace("here", info.here, kMostTextBytes);
  fields.replace("why", info.why, kMostTextBytes);
  if (std::string since = fields.version("since"); !since.empty()) info.since = std::move(since);
  return info;
}

}  // namespace

void Script::read_cases(const FieldReader& fields) {
  lua_State* state = sandbox_->state();
  const int type = fields.push("cases");
  const lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(state, -1) : 0;
  if (type != LUA_TNIL && count == 0)
    fields.fail("`cases` must be a list of tables with names: cases = { { name = \"...\" } }");
  if (const std::string wrong = too_many("`cases`", count, "elements", kMostCases); !wrong.empty())
    fields.fail(wrong + "; split the scenario into several files");
  std::set<std::string> names;
  for (lua_Unsigned i = 1; i <= count; ++i) {
    if (lua_rawgeti(state, -1, static_cast<lua_Integer>(i)) != LUA_TTABLE)
      fields.fail("`cases`[" + std::to_string(i) + "] is not a table: { name = \"...\" }");
    ScriptInfo one = with_case(info_, fields);
    check_name(fields, one, names);
    scenarios_.push_back(std::move(one));
    lua_pop(state, 1);
  }
  if (scenarios_.empty()) scenarios_.push_back(info_);
  cases_reference_ = luaL_ref(state, LUA_REGISTRYINDEX);
}

void Script::choose_case(const std::string& name) {
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    if (scenarios_[i].case_name != name) continue;
    info_ = scenarios_[i];
    case_number_ = static_cast<int>(i) + 1;
    return;
  }
  throw base::UsageError(info_.file + ": there is no case \"" + name + "\"");
}

int Script::push_case(lua_State* thread) const {
  if (info_.case_name.empty()) return 0;
  lua_rawgeti(thread, LUA_REGISTRYINDEX, cases_reference_);
  lua_rawgeti(thread, -1, case_number_);
  lua_remove(thread, -2);
  return 1;
}

lua_State* Script::start() {
  lua_State* state = sandbox_->state();
  lua_State* thread = lua_newthread(state);  // stays on the main stack, so it is not collected
  lua_rawgeti(thread, LUA_REGISTRYINDEX, run_reference_);
  return thread;
}

std::string Script::text() const {
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  return text;
}

std::string Script::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > lines_.size()) return "";
  const std::string& line = lines_[static_cast<std::size_t>(number) - 1];
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace tcplab::app
