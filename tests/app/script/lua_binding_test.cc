// Checks the messages for wrong arguments from Lua: they name the argument, its purpose and its
// type.
#include "app/script/lua_binding.hh"

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/script/sandbox.hh"
#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using app::LuaCall;
using Catch::Matchers::Contains;

namespace {

/// A Lua stack as a bound method sees it: the object, then the arguments from a Lua list, such as
/// Arguments("7, 'x'").
class Arguments {
public:
  explicit Arguments(const std::string& arguments) {
    sandbox_.run_file(folder_.write("arguments.lua", "return { " + arguments + " }"));
    lua_State* lua = sandbox_.state();
    const auto count = static_cast<lua_Integer>(lua_rawlen(lua, 1));
    lua_pushboolean(lua, 1);  // stands for the object
    for (lua_Integer i = 1; i <= count; ++i) lua_rawgeti(lua, 1, i);
    lua_remove(lua, 1);
  }

  LuaCall call() { return {sandbox_.state(), true}; }

private:
  tests::TemporaryFolder folder_;
  app::Sandbox sandbox_;
};

template <typename Action>
std::string complaint_about(const std::string& arguments, Action action) {
  Arguments given(arguments);
  return tests::complaint([&] { action(given.call()); });
}

struct Host {
  static constexpr const char* kLuaName = "host";
};

}  // namespace

TEST_CASE("arguments are counted without the object, and may be missing") {
  Arguments arguments("8080, 'text', false");
  CHECK(arguments.call().count() == 3);
  CHECK(arguments.call().has(3));
  CHECK_FALSE(arguments.call().has(4));
}

TEST_CASE("a number is not accepted as a text, nor a text as a number") {
  Arguments arguments("8080, 'text', '12'");
  const LuaCall call = arguments.call();
  CHECK(call.number(1, "the port") == 8080);
  CHECK(call.text(2, "the name") == "text");
  CHECK(tests::complaint([&] { call.text(1, "the name"); }) ==
        "argument 1 (the name) must be a text, not number");
  CHECK(tests::complaint([&] { call.number(3, "the port"); }) ==
        "argument 3 (the port) must be a number, not string");
  CHECK_THAT(tests::complaint([&] { call.number(4, "the port"); }),
             Contains("argument 4 (the port) must be a number"));
}

TEST_CASE("a text may contain any byte") {
  Arguments arguments("'a\\0b'");
  CHECK(arguments.call().text(1, "the text") == std::string("a\0b", 3));
}

TEST_CASE("a span is a number of seconds, from 0 to a year") {
  Arguments arguments("1.5, 0");
  CHECK(arguments.call().span(1, "how long") == 1500ms);
  CHECK(arguments.call().span(2, "how long") == 0s);
  const auto* wrong = GENERATE("-1", "1e12", "0/0", "1/0", "-1/0");
  CAPTURE(wrong);
  CHECK_THAT(complaint_about(wrong, [](const LuaCall& call) { call.span(1, "how long"); }),
             Contains("argument 1 (how long)") && Contains("from 0 to a year"));
}

TEST_CASE("options are read by name, and unknown ones are refused") {
  Arguments arguments("{ count = 2, fate = 'lost' }");
  const LuaCall call = arguments.call();
  CHECK(call.option_number(1, "count") == 2);
  CHECK(call.option_text(1, "fate") == "lost");
  CHECK(call.option_number(1, "skip") == std::nullopt);
  CHECK(call.option_number(2, "count") == std::nullopt);
  const app::LuaTable known{"known", "", {{"count?", "integer"}, {"fate?", "string"}}};
  call.allow_options(1, known);
  const app::LuaTable base{"base", "", {{"skip?", "integer"}}};
  const app::LuaTable others{"others", "", {{"count?", "integer"}}, &base};
  CHECK(tests::complaint([&] { call.allow_options(1, others); }) ==
        "there is no option `fate` here; there is `count` `skip`");
  CHECK(tests::complaint([&] { call.option_text(1, "count"); }) == "option `count` must be a text");
  CHECK(tests::complaint([&] { call.option_number(1, "fate"); }) ==
        "option `fate` must be a number");
}

TEST_CASE("options must be a table") {
  const auto allow = [](const LuaCall& call) {
    call.allow_options(1, {"options", "", {{"count?", "integer"}}});
  };
  CHECK(complaint_about("7", allow) == "argument 1 (options) must be a table, not number");
  CHECK_THAT(complaint_about("{ 7 }", allow), Contains("there is no option"));
  CHECK(complaint_about("nil", allow).empty());
}

TEST_CASE("words of a command are texts or numbers") {
  Arguments arguments("'-l', 8080, 2.5");
  CHECK(arguments.call().word(1) == "-l");
  CHECK(arguments.call().word(2) == "8080");
  CHECK(arguments.call().word(3) == "2.5");
  CHECK(arguments.call().number(2, "the port") == 8080);  // it is still a number
  CHECK_THAT(complaint_about("{}", [](const LuaCall& call) { call.word(1); }),
             Contains("argument 1 (a word of the command) must be a text, number or host"));
}

TEST_CASE("an object of another class, and a call with a dot, are refused with a hint") {
  const auto* other = GENERATE("7", "'kang'", "{}", "true");
  CAPTURE(other);
  CHECK_THAT(complaint_about(other, [](const LuaCall& call) { call.object<Host>(1, "whose"); }),
             Contains("argument 1 (whose) must be a host"));
  CHECK_THAT(complaint_about("7", [](const LuaCall& call) { call.self<Host>(); }),
             Contains("call it with a colon"));
}

TEST_CASE("JSON becomes Lua's own values") {
  app::Sandbox sandbox;
  lua_State* lua = sandbox.state();
  app::push_json(lua, nlohmann::json::parse(R"({"a":[1,2.5,"x",true,null],"b":{"c":-7}})"));
  lua_getfield(lua, -1, "a");
  CHECK(lua_rawlen(lua, -1) == 4);
  lua_rawgeti(lua, -1, 1);
  CHECK(lua_isinteger(lua, -1));
  lua_rawgeti(lua, -2, 3);
  CHECK(std::string(lua_tostring(lua, -1)) == "x");
  lua_getfield(lua, 1, "b");
  lua_getfield(lua, -1, "c");
  CHECK(lua_tointeger(lua, -1) == -7);
}
