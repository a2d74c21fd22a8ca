// Checks what no script may do: reach out of the sandbox, run forever, or use up the machine's
// memory. Each refusal is one line that names the file.
#include "app/script/sandbox.hh"

#include <memory>

#include "tests/catch.hh"
#include "tests/workshop.hh"

using namespace tcplab;
using app::Sandbox;
using app::SandboxLimits;
using Catch::Matchers::Contains;

namespace {

constexpr SandboxLimits kSmall{
    .memory = std::size_t{4} << 20, .instructions = 100'000, .script_size = 4096};

/// Runs the text as a script with small limits, and returns the error message.
std::string complaint_of_sandbox(const std::string& text) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("script.lua", text);
  return tests::complaint([&] { Sandbox(kSmall).run_file(file); });
}

std::string type_of(const std::string& expression) {
  const tests::TemporaryFolder folder;
  Sandbox sandbox;
  sandbox.run_file(folder.write("script.lua", "return type(" + expression + ")"));
  return lua_tostring(sandbox.state(), -1);
}

/// Returns bytecode as luac writes it, made with a Lua state outside the sandbox.
std::string bytecode() {
  std::string code;
  const std::unique_ptr<lua_State, void (*)(lua_State*)> lua(luaL_newstate(), lua_close);
  REQUIRE(luaL_loadstring(lua.get(), "return {}") == LUA_OK);
  const lua_Writer append = [](lua_State*, const void* bytes, std::size_t size, void* text) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
    return 0;
  };
  lua_dump(lua.get(), append, &code, 0);
  return code;
}

}  // namespace

TEST_CASE("a script cannot use functions that reach out of the sandbox") {
  const auto* name = GENERATE("os", "io", "require", "package", "debug", "load", "loadfile",
                              "dofile", "xpcall", "print", "collectgarbage", "string.dump");
  CAPTURE(name);
  CHECK(type_of(name) == "nil");
}

TEST_CASE("a script has the rest of the language") {
  const auto* name = GENERATE("string.format", "table.concat", "math.floor", "utf8.char", "pairs",
                              "pcall", "tostring", "setmetatable", "error");
  CAPTURE(name);
  CHECK(type_of(name) == "function");
}

TEST_CASE("the result of a script is left on the stack") {
  const tests::TemporaryFolder folder;
  Sandbox sandbox;
  sandbox.run_file(folder.write("script.lua", "return 6 * 7"));
  CHECK(lua_tointeger(sandbox.state(), -1) == 42);
}

TEST_CASE("bytecode is refused") {
  const std::string code = bytecode();
  REQUIRE(code.starts_with(LUA_SIGNATURE));
  CHECK_THAT(complaint_of_sandbox(code), Contains("script.lua") && Contains("binary"));
}

TEST_CASE("a syntax error names the file and the line") {
  CHECK_THAT(complaint_of_sandbox("local x = 1\nreturn {{\n"), Contains("script.lua:3:"));
}

TEST_CASE("an error of a script names the file and the line") {
  CHECK_THAT(complaint_of_sandbox("\n\nerror 'no luck today'"),
             Contains("script.lua:3: no luck today"));
}

TEST_CASE("an error that is not a text still names the file") {
  CHECK_THAT(complaint_of_sandbox("error {}"), Contains("script.lua"));
}

TEST_CASE("a script that loops forever is stopped") {
  const std::string loop = GENERATE(
      as<std::string>{}, "while true do end", "repeat until false",
      "local function again() return again() end again()",
      "while true do pcall(function() while true do end end) end", "while true do pcall(error) end",
      "setmetatable(_G, { __index = function() while true do end end }) return nothing",
      "local s = ('x'):rep(100) while true do s:find('y') end");
  CAPTURE(loop);
  CHECK_THAT(complaint_of_sandbox(loop), Contains("script.lua") && Contains("loop forever"));
}

TEST_CASE("a script that uses more and more memory is stopped") {
  const std::string bomb =
      GENERATE(as<std::string>{}, "local s = 'x' for i = 1, 60 do s = s .. s end",
               "return ('x'):rep(1 << 40)", "local t = {} for i = 1, 1e9 do t[i] = {} end",
               "return table.concat({ ('x'):rep(1 << 21), ('x'):rep(1 << 21) })");
  CAPTURE(bomb);
  CHECK_THAT(complaint_of_sandbox(bomb),
             Contains("memory") || Contains("too large") || Contains("loop forever"));
}

TEST_CASE("freed memory no longer counts toward the limit") {
  CHECK(
      complaint_of_sandbox("for i = 1, 100 do local s = ('x'):rep(1 << 20) end return {}").empty());
}

TEST_CASE("a script that is too large is refused before it is read as Lua") {
  const std::string large(kSmall.script_size + 1, '(');
  CHECK_THAT(complaint_of_sandbox(large), Contains("script.lua") && Contains("larger than 4 KiB"));
  const std::string fits = "--" + std::string(kSmall.script_size - 2, '(');
  CHECK(complaint_of_sandbox(fits).empty());
}

TEST_CASE("a file that cannot be read says why") {
  CHECK_THAT(tests::complaint([] { Sandbox().run_file("/nonexistent/script.lua"); }),
             Contains("/nonexistent/script.lua") && Contains("ENOENT"));
}

TEST_CASE("a folder is not a script") {
  const tests::TemporaryFolder folder;
  CHECK_THAT(tests::complaint([&] { Sandbox().run_file(folder.path().string()); }),
             Contains(folder.path().string()) && Contains("cannot read the script"));
}

TEST_CASE("an empty script runs and returns nothing") {
  const tests::TemporaryFolder folder;
  Sandbox sandbox;
  sandbox.run_file(folder.write("script.lua", ""));
  CHECK(lua_isnil(sandbox.state(), -1));
}

TEST_CASE("a script cannot have finalizers, because their instructions are not counted") {
  CHECK_THAT(complaint_of_sandbox("setmetatable({}, { __gc = function() while true do end end })"),
             Contains("script.lua:1:") && Contains("no finalizers"));
}

TEST_CASE("metatables without finalizers work as usual") {
  CHECK(complaint_of_sandbox("local t = setmetatable({}, { __index = { a = 7 } })"
                             "assert(t.a == 7 and getmetatable(t).__index.a == 7)"
                             "assert(setmetatable(t, nil) == t and t.a == nil)")
            .empty());
  CHECK_THAT(complaint_of_sandbox("setmetatable({}, 7)"), Contains("nil or table expected"));
}

TEST_CASE("the lab can still use a state that has used up its memory") {
  const tests::TemporaryFolder folder;
  Sandbox sandbox(kSmall);
  sandbox.run_file(
      folder.write("script.lua",
                   "hoard = {} "
                   "pcall(function() for i = 1, 100 do hoard[i] = ('x'):rep(1 << 17) .. i end end) "
                   "return 7"));
  const std::string text(std::size_t{1} << 20, 'y');
  lua_pushlstring(sandbox.state(), text.data(), text.size());
  CHECK(lua_rawlen(sandbox.state(), -1) == text.size());
}

TEST_CASE("each turn of a coroutine has its own instruction limit") {
  const tests::TemporaryFolder folder;
  Sandbox sandbox(kSmall);
  sandbox.run_file(folder.write("script.lua", "return function(n) for i = 1, n do end end"));
  const auto turn = [&](lua_Integer length) {
    lua_State* thread = lua_newthread(sandbox.state());
    lua_pushvalue(sandbox.state(), 1);
    lua_xmove(sandbox.state(), thread, 1);
    lua_pushinteger(thread, length);
    const Sandbox::Running limited(sandbox, thread);
    int results = 0;
    return lua_resume(thread, sandbox.state(), 1, &results);
  };
  for (int i = 0; i < 5; ++i) CHECK(turn(80'000) == LUA_OK);
  CHECK(turn(200'000) == LUA_ERRRUN);
  CHECK(turn(80'000) == LUA_OK);
}

TEST_CASE("no text of a value has an address, and each value keeps its text") {
  CHECK(complaint_of_sandbox(
            "local t, u = {}, {}\n"
            "assert(tostring(t) == 'table 1' and tostring(u) == 'table 2')\n"
            "assert(('%s %5s'):format(t, 7) == 'table 1     7')\n"
            "assert(tostring(tostring) == 'function 1')\n"
            "assert(string.format('%d%% %s %q', 7, nil, 'x') == '7% nil \"x\"')\n"
            "assert(tostring(nil) .. tostring(true) .. tostring(7.0) .. tostring('x') == "
            "'niltrue7.0x')\n"
            "local named = setmetatable({}, { __name = 'thing' })\n"
            "assert(tostring(named) == 'thing 1')\n"
            "assert(tostring(setmetatable({}, { __tostring = function() return 'own' end })) == "
            "'own')")
            .empty());
}

TEST_CASE("an address cannot be formatted") {
  CHECK_THAT(complaint_of_sandbox("\nreturn string.format('%-5s%p', 'x', {})"),
             Contains("script.lua:2: string.format has no %p here: an address differs from run"));
}

TEST_CASE("errors of tostring and string.format name the line") {
  CHECK_THAT(complaint_of_sandbox("\nreturn string.format('%d', 'x')"),
             Contains("script.lua:2: bad argument #2 to 'format' (number expected, got string)"));
  CHECK_THAT(complaint_of_sandbox("\nreturn tostring()"),
             Contains("script.lua:2: bad argument #1"));
  CHECK_THAT(complaint_of_sandbox(
                 "return tostring(setmetatable({}, { __tostring = function() return {} end }))"),
             Contains("'__tostring' must return a string"));
}

TEST_CASE("the numbers of values do not keep them in memory") {
  CHECK(complaint_of_sandbox(
            "for i = 1, 3000 do local t = { ('x'):rep(1 << 14) .. i } tostring(t) end return {}")
            .empty());
}
