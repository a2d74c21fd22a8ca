// Checks the table of a scenario. An invalid table is refused in one line that names the file and
// the field.
#include "app/script/script.hh"

#include <functional>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using app::Script;
using app::ScriptInfo;
using base::Family;
using Catch::Matchers::Contains;

namespace {

ScriptInfo loaded(const std::string& text) {
  const tests::TemporaryFolder folder;
  return Script(folder.write("puzzlers/power-cycle.lua", text)).info();
}

std::string complaint_about(const std::string& text) {
  std::string message = tests::complaint([&] { loaded(text); });
  CHECK_THAT(message, Contains("power-cycle.lua"));
  CHECK(message.find('\n') == std::string::npos);
  return message;
}

}  // namespace

TEST_CASE("a scenario is named after its file, and its topic after the folder") {
  const ScriptInfo info = loaded(tests::scenario());
  CHECK(info.name == "power-cycle");
  CHECK(info.topic == "puzzlers");
  CHECK(info.title == "A title");
  CHECK(info.asks == "A question?");
}

TEST_CASE("omitted fields are empty, and a scenario runs on both families by default") {
  const ScriptInfo info = loaded(tests::scenario());
  CHECK((info.source + info.article + info.here + info.why).empty());
  CHECK(info.tags.empty());
  CHECK(info.needs.empty());
  CHECK(info.families == std::vector{Family::ipv4, Family::ipv6});
}

TEST_CASE("all optional fields are read") {
  const ScriptInfo info = loaded(tests::scenario(
      "source = 's', article = 'a', here = 'h', why = 'w', tags = { 'close', 'power' }, "
      "needs = { 'root' }, families = { 6 }"));
  CHECK(info.source + info.article + info.here + info.why == "sahw");
  CHECK(info.tags == std::vector<std::string>{"close", "power"});
  CHECK(info.needs == std::vector<std::string>{"root"});
  CHECK(info.families == std::vector{Family::ipv6});
}

TEST_CASE("title, asks and run are required") {
  CHECK_THAT(complaint_about("return { asks = 'q', run = print }"),
             Contains("`title` must be a text, it is nil; add title = "));
  CHECK_THAT(complaint_about("return { title = 't', run = print }"), Contains("`asks`"));
  CHECK_THAT(complaint_about("return { title = 't', asks = 'q' }"),
             Contains("`run` must be a function"));
}

TEST_CASE("a script that returns no table is refused, with the expected form") {
  const auto* text =
      GENERATE("", "return", "return 4", "return 'a title'", "return function() end");
  CAPTURE(text);
  CHECK_THAT(complaint_about(text), Contains("a scenario ends with: return { title = "));
}

TEST_CASE("a field of the wrong type is refused by name") {
  CHECK_THAT(complaint_about("return { title = {}, asks = 'q', run = error }"),
             Contains("`title` must be a text, it is table"));
  CHECK_THAT(complaint_about("return { title = 4, asks = 'q', run = error }"),
             Contains("`title` must be a text, it is number"));
  CHECK_THAT(complaint_about(tests::scenario("why = true")),
             Contains("`why` must be a text, it is boolean"));
  CHECK_THAT(complaint_about(tests::scenario("tags = 'power'")),
             Contains("`tags` must be a list of texts"));
  CHECK_THAT(complaint_about(tests::scenario("tags = { 'zero window' }")),
             Contains("the tag \"zero window\" is not valid: use only A-Z"));
  CHECK_THAT(complaint_about(tests::scenario("tags = { 'power', {} }")),
             Contains("`tags`[2] is not a text"));
  CHECK_THAT(complaint_about("return { title = 't', asks = 'q', run = 'run' }"),
             Contains("`run` must be a function"));
}

TEST_CASE("a table with keys is not a list of texts") {
  CHECK_THAT(complaint_about(tests::scenario("tags = { power = true }")), Contains("`tags`"));
}

TEST_CASE("unknown fields are refused, because they may be misspelt") {
  CHECK_THAT(complaint_about(tests::scenario("tag = { 'power' }")), Contains("no field `tag`"));
  CHECK_THAT(complaint_about(tests::scenario("'power'")), Contains("no field"));
}

TEST_CASE("families are 4, 6 or both") {
  CHECK_THAT(complaint_about(tests::scenario("families = { 5 }")),
             Contains("`families` lists 4, 6 or both, not 5"));
  CHECK_THAT(complaint_about(tests::scenario("families = { 'ipv4' }")), Contains("not ipv4"));
  CHECK(loaded(tests::scenario("families = { 4, 6 }")).families.size() == 2);
}

TEST_CASE("a list of a scenario has a limit, which its error names") {
  CHECK_THAT(complaint_about("local f = {} for i = 1, 100000 do f[i] = 4 end\n" +
                             tests::scenario("families = f")),
             Contains("`families` has 100000 elements, at most 2 are allowed; remove the others"));
  CHECK_THAT(complaint_about(tests::scenario("families = { 4, 4 }")),
             Contains("`families` lists 4 twice; remove one of them"));
  for (const std::string field : {"tags", "needs"}) {
    const auto list = [&](int count) {
      return "local f = {} for i = 1, " + std::to_string(count) + " do f[i] = 'root' end\n" +
             tests::scenario(field + " = f");
    };
    CHECK_THAT(complaint_about(list(101)),
               Contains("`" + field + "` has 101 elements, at most 100 are allowed"));
    CHECK_NOTHROW(loaded(list(100)));
    CHECK_THAT(complaint_about(tests::scenario(field + " = { 'a', ('x'):rep(1001) }")),
               Contains("`" + field + "`[2] has 1001 bytes, at most 1000 are allowed; shorten it"));
  }
}

TEST_CASE("a text of a scenario has a limit, which its error names") {
  for (const std::string field : {"title", "asks"}) {
    const std::string other = field == "title" ? "asks" : "title";
    const auto table = [&](int bytes) {
      return "return { run = error, " + other + " = 't', " + field + " = ('x'):rep(" +
             std::to_string(bytes) + ") }";
    };
    CHECK_THAT(complaint_about(table(1001)),
               Contains("`" + field + "` has 1001 bytes, at most 1000 are allowed; shorten it"));
    CHECK_NOTHROW(loaded(table(1000)));
  }
  for (const std::string field : {"source", "article", "here", "why"}) {
    CHECK_THAT(complaint_about(tests::scenario(field + " = ('x'):rep(20001)")),
               Contains("`" + field + "` has 20001 bytes, at most 20000 are allowed"));
    CHECK_THAT(complaint_about(
                   tests::scenario("cases = { { name = 'a', " + field + " = ('x'):rep(20001) } }")),
               Contains("`" + field + "` has 20001 bytes"));
    CHECK_NOTHROW(loaded(tests::scenario(field + " = ('x'):rep(20000)")));
  }
}

TEST_CASE("the name of a scenario and its case has a limit, because it is that of a folder") {
  const auto named = [](std::size_t file, std::size_t one) {
    const tests::TemporaryFolder folder;
    const std::string text = tests::scenario(
        one == 0 ? "" : "cases = { { name = ('c'):rep(" + std::to_string(one) + ") } }");
    return tests::complaint([&] { Script(folder.write(std::string(file, 'n') + ".lua", text)); });
  };
  CHECK_THAT(named(201, 0), Contains("has 201 bytes, at most 200 are allowed; choose a shorter"));
  CHECK_THAT(named(100, 100), Contains("has 201 bytes, at most 200 are allowed"));
  CHECK(named(100, 99).empty());
  CHECK(named(200, 0).empty());
}

TEST_CASE("metamethods of a script's table are not called, because nothing limits them") {
  CHECK_THAT(
      complaint_about("return setmetatable({}, { __index = function() while true do end end })"),
      Contains("`title`"));
  const ScriptInfo info = loaded(tests::scenario(
      "tags = setmetatable({ 'power' }, { __len = function() return 1 << 60 end })"));
  CHECK(info.tags == std::vector<std::string>{"power"});
}

TEST_CASE("a line of the script is returned without white space around it") {
  const tests::TemporaryFolder folder;
  const Script script(folder.write("a.lua", "\t -- first \r\n\n" + tests::scenario()));
  CHECK(script.line(1) == "-- first");
  CHECK(script.line(2).empty());
  CHECK_THAT(script.line(3), Catch::Matchers::StartsWith("return { title"));
  CHECK(script.line(0).empty());
  CHECK(script.line(-7).empty());
  CHECK(script.line(4711).empty());
}

TEST_CASE("a script can start several times, each time with its run function") {
  const tests::TemporaryFolder folder;
  Script script(folder.write("a.lua", tests::scenario()));
  for (int turn = 0; turn < 3; ++turn) {
    lua_State* thread = script.start();
    CHECK(lua_isfunction(thread, -1));
  }
}

TEST_CASE("a scenario may have a question with choices") {
  CHECK(!loaded(tests::scenario()).quiz);
  const auto quiz = loaded(tests::scenario("quiz = { { 'yes', because = 'b' }, { 'no', right = "
                                           "true } }"))
                        .quiz;
  REQUIRE(quiz);
  CHECK(quiz->asks == "A question?");
  REQUIRE(quiz->choices.size() == 2);
  CHECK(quiz->choices[0].text + quiz->choices[0].because == "yesb");
  CHECK(!quiz->choices[0].right);
  CHECK(quiz->choices[1].right);
  CHECK(loaded(tests::scenario("quiz = { asks = 'other?', { 'a', right = true }, { 'b' } }"))
            .quiz->asks == "other?");
}

TEST_CASE("an invalid quiz is refused with the reason") {
  const auto complaint = [](const std::string& quiz) {
    return complaint_about(tests::scenario("quiz = " + quiz));
  };
  CHECK_THAT(complaint("'yes'"), Contains("must be a list of choices"));
  CHECK_THAT(complaint("{ { 'yes', right = true } }"), Contains("from 2 to 6 choices"));
  CHECK_THAT(complaint("{ { 'a' }, { 'b' } }"), Contains("exactly one choice"));
  CHECK_THAT(complaint("{ { 'a', right = true }, { 'b', right = true } }"),
             Contains("exactly one choice"));
  CHECK_THAT(complaint("{ { 'a', right = true }, { 'a' } }"), Contains("are the same"));
  CHECK_THAT(complaint("{ { 'a', right = true }, 'b' }"), Contains("choice 2 of `quiz`"));
  CHECK_THAT(complaint("{ { 'a', right = true }, {} }"), Contains("has one text"));
  CHECK_THAT(complaint("{ { 'a', right = 1 }, { 'b' } }"), Contains("`right`"));
  CHECK_THAT(complaint("{ { 'a', right = true }, { 'b', because = {} } }"), Contains("`because`"));
  CHECK_THAT(complaint("{ { 'a', wrong = true }, { 'b' } }"), Contains("no field `wrong`"));
  CHECK_THAT(
      complaint("(function() local q = {} for i = 1, 100000 do q[i] = {} end return q end)()"),
      Contains("from 2 to 6 choices"));
  CHECK_THAT(complaint("{ { 'a', right = true }, { ('x'):rep(1001) } }"),
             Contains("choice 2 of `quiz` has 1001 bytes, at most 1000 are allowed"));
  CHECK_THAT(complaint("{ { 'a', right = true, because = ('x'):rep(20001) }, { 'b' } }"),
             Contains("`because` of choice 1 of `quiz` has 20001 bytes"));
  CHECK_THAT(complaint("{ asks = ('x'):rep(1001), { 'a', right = true }, { 'b' } }"),
             Contains("`asks` of `quiz` has 1001 bytes"));
  CHECK_THAT(complaint("{ ask = 'q', { 'a', right = true }, { 'b' } }"),
             Contains("no field `ask`"));
}

TEST_CASE("the requirement of a scenario is read") {
  CHECK(!loaded(tests::scenario()).requirement);
  const auto requirement =
      loaded(tests::scenario("requires = { id = 'MUST-58', level = 'SHOULD', rfc = 'RFC 9293', "
                             "says = 'a', met = 'b' }"))
          .requirement;
  REQUIRE(requirement);
  CHECK(requirement->id == "MUST-58");
  CHECK(requirement->level == reports::RequirementLevel::should);
  CHECK(requirement->rfc + requirement->says + requirement->met == "RFC 9293ab");
}

TEST_CASE("an invalid requirement is refused with the reason") {
  const auto complaint = [](const std::string& requirement) {
    return complaint_about(tests::scenario("requires = " + requirement));
  };
  const std::string rest = "rfc = 'r', says = 's', met = 'm' }";
  CHECK_THAT(complaint("'MUST-1'"), Contains("`requires` must be a table"));
  CHECK_THAT(complaint("{ level = 'MUST', " + rest), Contains("`id` must be a text"));
  CHECK_THAT(complaint("{ id = 'a b', level = 'MUST', " + rest), Contains("`id` of `requires`"));
  CHECK_THAT(complaint("{ id = 'a', level = 'must', " + rest),
             Contains("is MUST, SHOULD, MAY or behaviour, not must"));
  CHECK_THAT(complaint("{ id = 'a', level = 'MUST', rfc = 'r', says = 's' }"),
             Contains("`met` must be a text"));
  CHECK_THAT(complaint("{ id = 'a', level = 'MUST', no = 1, " + rest),
             Contains("`requires` has no field `no`"));
}

TEST_CASE("each case is a scenario of its own") {
  const tests::TemporaryFolder folder;
  const std::string file =
      folder.write("mine/route.lua",
                   tests::scenario("cases = { { name = 'a' }, { name = 'b', title = 'Own' } }"));
  Script script(file);
  REQUIRE(script.scenarios().size() == 2);
  CHECK(script.scenarios()[0].name == "route-a");
  CHECK(script.scenarios()[0].title == "A title (a)");
  CHECK(script.scenarios()[1].title == "Own");
  script.choose_case("b");
  CHECK(script.info().name == "route-b");
  CHECK_THAT(tests::complaint([&] { script.choose_case("c"); }), Contains("no case \"c\""));
}

TEST_CASE("wrong cases are refused") {
  const auto complaint = [](const std::string& cases) {
    const tests::TemporaryFolder folder;
    return tests::complaint(
        [&] { Script(folder.write("a.lua", tests::scenario("cases = " + cases))); });
  };
  CHECK_THAT(complaint("7"), Contains("`cases` must be a list"));
  CHECK_THAT(complaint("{}"), Contains("`cases` must be a list"));
  CHECK_THAT(complaint("{ 7 }"), Contains("`cases`[1] is not a table"));
  CHECK_THAT(complaint("{ {} }"), Contains("`name` must be a text"));
  CHECK_THAT(complaint("{ { name = 'a/b' } }"), Contains("is not valid: use only A-Z"));
  CHECK_THAT(complaint("{ { name = 'a' }, { name = 'a' } }"), Contains("two cases"));
  const auto many = [](int count) {
    return "(function() local all = {} for i = 1, " + std::to_string(count) +
           " do all[i] = { name = 'c' .. i } end return all end)()";
  };
  CHECK_THAT(complaint(many(1001)), Contains("`cases` has 1001 elements, at most 1000 are allowed; "
                                             "split the scenario into several files"));
  CHECK(complaint(many(1000)).empty());
}
