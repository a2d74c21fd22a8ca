#include "app/script/unfinished.hh"

#include "tests/catch.hh"

using namespace tcplab::app;

TEST_CASE("the oldest unfinished statement is reported until it is finished") {
  Unfinished unfinished;
  CHECK_FALSE(unfinished.first());
  const auto subject = unfinished.add(7, "no verb");
  const auto condition = unfinished.add(9, "nobody awaits it");
  REQUIRE(unfinished.first());
  CHECK(unfinished.first()->line == 7);
  CHECK(unfinished.first()->what == "no verb");
  unfinished.finish(subject);
  unfinished.finish(subject);
  CHECK(unfinished.first()->line == 9);
  unfinished.finish(condition);
  CHECK_FALSE(unfinished.first());
}

TEST_CASE("a shell does not ask for the end of a statement") {
  Unfinished unfinished;
  unfinished.ignore();
  unfinished.finish(unfinished.add(1, "no verb"));
  unfinished.add(2, "no verb");
  CHECK_FALSE(unfinished.first());
}
