#include "app/script/output_expectation.hh"

#include <chrono>

#include "tests/catch.hh"
#include "tests/samples.hh"

using namespace tcplab;
using namespace tcplab::app;
using namespace std::chrono_literals;

namespace {

const base::Instant kDeadline = base::from_nanoseconds(7);

OutputExpectation prints(const std::string& text) {
  return {kDeadline, 5s, {.host = "kang", .program = "dnc", .text = text, .ruled_out = {}}};
}

capture::Event wrote(std::uint64_t number, const std::string& text,
                     const std::string& stream = "stdout", const std::string& program = "dnc") {
  capture::Program body;
  body.host = "kang";
  body.program = program;
  body.change = capture::ProgramChange::wrote;
  body.stream = stream;
  body.text = text;
  capture::Event event = tests::event(body);
  event.number = number;
  return event;
}

}  // namespace

TEST_CASE("a text that a program writes in pieces is one text") {
  const Cursors cursors;
  OutputExpectation wait = prints("hello");
  CHECK(wait.begin({cursors, 9}) == 0);
  CHECK(wait.look(wrote(1, "oh, hel")) == Decision::open);
  CHECK(wait.look(wrote(2, "l")) == Decision::open);
  CHECK(wait.look(wrote(3, "o!")) == Decision::met);
  REQUIRE(wait.decisive() != nullptr);
  CHECK(wait.decisive()->number == 3);
}

TEST_CASE("a piece that it is shown again counts once") {
  const Cursors cursors;
  OutputExpectation wait = prints("haha");
  wait.begin({cursors, 9});
  CHECK(wait.look(wrote(1, "ha")) == Decision::open);
  CHECK(wait.look(wrote(1, "ha")) == Decision::open);
  CHECK(wait.look(wrote(2, "ha")) == Decision::met);
}

TEST_CASE("one write can meet two expectations, in its order") {
  Cursors cursors;
  const capture::Event both = wrote(4, "first, second\n");
  OutputExpectation first = prints("first");
  CHECK(first.begin({cursors, 9}) == 0);
  CHECK(first.look(both) == Decision::met);
  first.move(cursors);

  OutputExpectation second = prints("second");
  CHECK(second.begin({cursors, 9}) == 3);
  CHECK(second.look(both) == Decision::met);

  OutputExpectation again = prints("first");
  again.begin({cursors, 9});
  CHECK(again.look(both) == Decision::open);
  CHECK(again.nearest() == "kang's dnc wrote \"first, second\\n\"");
}

TEST_CASE("a text that ends in a later piece is consumed to its end") {
  Cursors cursors;
  OutputExpectation first = prints("hello");
  first.begin({cursors, 9});
  first.look(wrote(1, "hel"));
  REQUIRE(first.look(wrote(2, "lo lo")) == Decision::met);
  first.move(cursors);
  CHECK(cursors.event_at("stdout kang/dnc") == 2);
  CHECK(cursors.bytes_at("stdout kang/dnc") == 2);

  OutputExpectation second = prints("lo lo");
  second.begin({cursors, 9});
  CHECK(second.look(wrote(2, "lo lo")) == Decision::open);
}

TEST_CASE("standard output and standard error are two streams") {
  Cursors cursors;
  OutputExpectation mixed = prints("hello");
  mixed.begin({cursors, 9});
  CHECK(mixed.look(wrote(1, "hel", "stdout")) == Decision::open);
  CHECK(mixed.look(wrote(2, "lo", "stderr")) == Decision::open);
  CHECK(mixed.look(wrote(3, "lo", "stdout")) == Decision::met);
  mixed.move(cursors);

  OutputExpectation earlier = prints("lo");
  CHECK(earlier.begin({cursors, 9}) == 0);  // what was written on stderr is unread
  CHECK(earlier.look(wrote(2, "lo", "stderr")) == Decision::met);
}

TEST_CASE("a silent stream need not be read again") {
  Cursors cursors;
  OutputExpectation wait = prints("hello");
  wait.begin({cursors, 9});
  REQUIRE(wait.look(wrote(8, "hello")) == Decision::met);
  wait.move(cursors);
  OutputExpectation next = prints("hello");
  CHECK(next.begin({cursors, 9}) == 7);
}

TEST_CASE("the output of another program does not count") {
  const Cursors cursors;
  OutputExpectation wait = prints("hello");
  wait.begin({cursors, 9});
  CHECK(wait.look(wrote(1, "hello", "stdout", "dnc-2")) == Decision::open);
  CHECK(wait.nearest().empty());
}

TEST_CASE("from now on, the end of the text must come later") {
  const Cursors cursors;
  OutputExpectation wait = prints("ab");
  CHECK(wait.begin({cursors, 2, true}) == 0);
  CHECK(wait.look(wrote(1, "ab")) == Decision::open);
  CHECK(wait.look(wrote(2, "a")) == Decision::open);
  CHECK(wait.look(wrote(3, "b")) == Decision::met);
}

TEST_CASE("a program that has ended writes nothing more") {
  const Cursors cursors;
  OutputExpectation wait(kDeadline, 5s,
                         {.host = "kang", .program = "dnc", .text = "hello", .ruled_out = [] {
                            return std::string("kang's dnc exited");
                          }});
  wait.begin({cursors, 9});
  CHECK(wait.limit() == ", within 5 s");
  CHECK(wait.at_present() == Decision::failed);
  CHECK(wait.seen() == "kang's dnc exited");
  CHECK(wait.limit().empty());
}
