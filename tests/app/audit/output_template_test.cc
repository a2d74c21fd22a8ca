// What two outputs of the same client have in common.
#include "app/audit/output_template.hh"

#include "tests/catch.hh"

using namespace tcplab::app;

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("outputs that agree are compared as they are") {
  const OutputTemplate made = template_of("PONG\n", "PONG\n");
  CHECK(made.text == "PONG\n");
  CHECK(made.masks.empty());
}

TEST_CASE("an id, a time and a date are masked whole, and nothing else") {
  const OutputTemplate made = template_of(
      "status: NOERROR, id: 4711\nQuery time: 0 msec\nWHEN: Fri Nov 27 09:29:35 UTC\n<a.1@x>\n",
      "status: NOERROR, id: 99\nQuery time: 104 msec\nWHEN: Fri Nov 27 09:29:36 UTC\n<b.2@x>\n");
  CHECK(made.text ==
        "status: NOERROR, id: \1\nQuery time: \1 msec\nWHEN: Fri Nov 27 \1 UTC\n<\1>\n");
  CHECK(made.masks == Words{"4711", "0", "09:29:35", "a.1@x"});
}

TEST_CASE("a line of another form is masked whole") {
  CHECK(template_of("a\nup 3 minutes\nb\n", "a\nup 1 hour, 2 minutes\nb\n").text == "a\n\2\nb\n");
  CHECK(template_of("5", "x 5").text == "\2");
  CHECK(template_of("size   5\n", "size 1200\n").text == "size   \1\n");
}

TEST_CASE("lines that only one output has are masked together") {
  const OutputTemplate made = template_of("begin\n10 %\n50 %\nend 1\n", "begin\n20 %\nend 2\n");
  CHECK(made.text == "begin\n\1 %\n\3\nend \1\n");
  CHECK(template_of("a\n", "a\nb\n").text == "a\n\3\n");
  CHECK(template_of("a\n", "a\nb\n").masks == Words{"some lines"});
}

TEST_CASE("an output with the bytes of marks is not masked") {
  CHECK(template_of("\1 5\n", "\1 6\n").masks.empty());
}
