// Words that a user may paste into a shell.
#include "base/shell_word.hh"

#include "tests/catch.hh"

using tcplab::base::shell_word;

TEST_CASE("a word is quoted for the shell only if the shell would change it") {
  CHECK(shell_word("/srv/core.4711") == "/srv/core.4711");
  CHECK(shell_word("/sp ace/core") == "'/sp ace/core'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("$HOME") == "'$HOME'");
  CHECK(shell_word("~/core") == "'~/core'");
  CHECK(shell_word("") == "''");
}
