#include "base/escape.hh"

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("bytes are escaped as in C") {
  CHECK(base::c_escape("kodos, are you there?\n") == R"(kodos, are you there?\n)");
  CHECK(base::c_escape("\"\\\t\r") == R"(\"\\\t\r)");
  CHECK(base::c_escape(std::string("\0001\x7f\xff", 4)) == R"(\0001\177\377)");
}

TEST_CASE("long data is shown with its first bytes and two dots") {
  CHECK(base::c_quote("abc", 3) == R"("abc")");
  CHECK(base::c_quote("abcd", 3) == R"("abc"..)");
}

TEST_CASE("for JSON the C escapes are escaped once more") {
  CHECK(base::escaped_for_json('\n').view() == R"(\\n)");
  CHECK(base::escaped_for_json('"').view() == R"(\\\")");
  CHECK(base::escaped_for_json('\\').view() == R"(\\\\)");
  CHECK(base::escaped_for_json(0xff).view() == R"(\\377)");
  CHECK(base::escaped_for_json('a').view() == "a");
}

TEST_CASE("every byte survives being escaped and unescaped") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(base::c_unescape(base::c_escape(all)) == all);
}

TEST_CASE("escapes that are not valid in C are rejected") {
  CHECK(base::c_unescape(R"(\x41\101\e\0)") == std::string("AA\033\0", 4));
  CHECK_FALSE(base::c_unescape(R"(\q)"));
  CHECK_FALSE(base::c_unescape(R"(\xg)"));
  CHECK_FALSE(base::c_unescape(R"(\777)"));
  CHECK_FALSE(base::c_unescape("at the end\\"));
}
