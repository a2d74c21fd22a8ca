#include "base/nearest.hh"

#include "tests/catch.hh"

using namespace tcplab;

TEST_CASE("nearest_words() suggests up to three words, the nearest first") {
  CHECK(base::nearest_words({}, "plug").empty());
  CHECK(base::nearest_words({"plug"}, "plugg") == "did you mean plug?");
  CHECK(base::nearest_words({"reboot", "plug", "unplug", "dnc"}, "plugs") ==
        "did you mean plug, unplug or dnc?");
}

TEST_CASE("edit distance counts single-character edits") {
  CHECK(base::edit_distance("", "") == 0);
  CHECK(base::edit_distance("abc", "abc") == 0);
  CHECK(base::edit_distance("", "abc") == 3);
  CHECK(base::edit_distance("abc", "") == 3);
  CHECK(base::edit_distance("kitten", "sitting") == 3);
  CHECK(base::edit_distance("sitting", "kitten") == 3);
  CHECK(base::edit_distance("power-of", "power-off") == 1);
  CHECK(base::edit_distance("ab", "ba") == 1);
  CHECK(base::edit_distance("abcd", "badc") == 2);
}

TEST_CASE("probable_words() suggests only words that were probably meant") {
  const std::set<std::string> commands = {"run", "list", "report", "diff", "doctor"};
  CHECK(base::probable_words(commands, "rnu") == "; did you mean run?");
  CHECK(base::probable_words(commands, "lst") == "; did you mean list?");
  CHECK(base::probable_words(commands, "doc") == "; did you mean doctor?");
  CHECK(base::probable_words(commands, "fly").empty());
  CHECK(base::probable_words({"--tag", "--tap", "--html"}, "--tga") == "; did you mean --tag?");
  CHECK(base::probable_words({"--family", "--html"}, "--famly") == "; did you mean --family?");
  CHECK(base::probable_words({}, "run").empty());
}
