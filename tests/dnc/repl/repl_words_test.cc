#include "dnc/repl/repl_words.hh"

#include <poll.h>

#include "base/error.hh"
#include "dnc/calls/call_record.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::dnc;

TEST_CASE("a line is split into words, quoted and escaped as in C") {
  CHECK(split_words("poll in 2s") == Words{"poll", "in", "2s"});
  CHECK(split_words(R"(write "are you  there?\n")") == Words{"write", "are you  there?\n"});
  CHECK(split_words(R"(write a\x20b\n)") == Words{"write", "a b\n"});
  CHECK(split_words(R"(write "")") == Words{"write", ""});
  CHECK(split_words(R"(write "say \"hi\"")") == Words{"write", "say \"hi\""});
  CHECK(split_words("  # a remark").empty());
  CHECK(split_words("").empty());
  CHECK(split_words("write #1") == Words{"write", "#1"});
}

TEST_CASE("an invalid line has an error that says why") {
  CHECK_THROWS_WITH(split_words(R"(write "open)"), Catch::Matchers::Contains("quote"));
  CHECK_THROWS_AS(split_words(R"(write \q)"), base::UsageError);
}

TEST_CASE("poll events are parsed by name") {
  CHECK(parse_poll_events("in") == POLLIN);
  CHECK(parse_poll_events("IN|OUT") == (POLLIN | POLLOUT));
  CHECK(parse_poll_events("POLLIN,rdhup") == (POLLIN | 0x2000));
  CHECK(parse_poll_events("none") == 0);
  CHECK(parse_poll_events("0x11") == 0x11);
  CHECK_FALSE(parse_poll_events("2s"));
  CHECK_FALSE(parse_poll_events("in|"));
  CHECK_FALSE(parse_poll_events("0xzz"));
}
