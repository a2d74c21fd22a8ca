#include "app/shell/session.hh"
#include "app/shell/shell_commands.hh"
#include "app/terminal/line_editor.hh"
#include "tests/catch.hh"

using namespace tcplab::app;

TEST_CASE("A line is either a command or Lua", "[shell]") {
  CHECK(shell_command("help")->word == "help");
  CHECK(shell_command("  save x.lua ")->argument == "x.lua");
  CHECK(shell_command("attach client")->argument == "client");
  CHECK_FALSE(shell_command("save = 1"));
  CHECK_FALSE(shell_command("quit()"));
  CHECK_FALSE(shell_command("states[1] = 2"));
  CHECK_FALSE(shell_command("helper"));
  CHECK_FALSE(shell_command(""));
}

TEST_CASE("A key is handled when it is complete", "[shell]") {
  CHECK(key_length("a") == 1);
  CHECK(key_length("ab") == 1);
  CHECK(key_length("\x1b") == 0);
  CHECK(key_length("\x1b[") == 0);
  CHECK(key_length("\x1b[A") == 3);
  CHECK(key_length("\x1b[1;5Cx") == 6);
  CHECK(key_length("\x1bOA") == 3);
  CHECK(key_length("\x1b"
                   "f") == 2);
  CHECK(key_length("\xc3") == 0);
  CHECK(key_length("\xc3\xa4") == 2);
  CHECK(key_length("") == 0);
}

TEST_CASE("A local becomes a global, so that later lines can use it", "[shell]") {
  CHECK(without_local("local x = 1") == "x = 1");
  CHECK(without_local("  local function f() end") == "  function f() end");
  CHECK(without_local("localhost = 1") == "localhost = 1");
  CHECK(without_local("do local x = 1 end") == "do local x = 1 end");
}

TEST_CASE("Input for a program becomes a Lua string", "[shell]") {
  CHECK(lua_quoted("hello\n") == R"("hello\n")");
  CHECK(lua_quoted(R"(a "b" \c)") == R"("a \"b\" \\c")");
  CHECK(lua_quoted("\x1b[1m") == R"("\027[1m")");
}
