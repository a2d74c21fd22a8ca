// Checks what is said of captures that lack an end, segments between the SYNs and RSTs, or single
// frames: what an end did not send is not known there.
#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

TEST_CASE("a capture without what the client sent does not say what it did not send") {
  SeenTalk talk;  // the server's side of a handshake, a request and a reset
  talk.say(1, "S.", {0, 1}).say(1, ".", {1, 101}).say(1, "R.", {1, 101});
  CHECK(talk.looks_like() == "close-with-unread-data linger-zero");
  CHECK(has(talk.because("close-with-unread-data"), "does not show whether it had unread data"));
  SeenTalk early;  // of the client, nothing is there that could have come before this RST
  early.say(1, "S.", {0, 1}).say(1, "R", {1});
  CHECK(early.looks_like().empty());
  SeenTalk answers;  // a RST without ACK answers a segment: it may be data to a closed socket
  answers.say(1, "S.", {0, 1}).say(1, ".", {1, 101}).say(1, "R", {1});
  CHECK(answers.looks_like().empty());
  SeenTalk closes;
  closes.say(1, "S.", {0, 1}).say(1, "F.", {1, 101}).wait(900).say(1, "R", {2});
  CHECK(closes.looks_like().empty());
  SeenTalk again;  // its acknowledgments go on, so the client speaks
  again.say(1, "S.", {0, 1}).say(1, ".", {1, 101, 500}).wait(200).say(1, ".", {1, 101, 500});
  again.wait(400).say(1, ".", {1, 101, 500}).wait(800).say(1, ".", {1, 101, 500});
  CHECK(again.looks_like().empty());
}

TEST_CASE("a capture that has both ends still says what the server did") {
  SeenTalk early;
  early.say(0, "S", {}).say(1, "S.", {0, 1}).say(1, "R.", {1, 1});
  CHECK(early.looks_like() == "reset-before-connect-returns");
  CHECK(early.or_else("reset-before-connect-returns").empty());
  SeenTalk again;
  again.shake_hands().say(1, ".", {1, 1, 500}).wait(200).say(1, ".", {1, 1, 500});
  again.wait(400).say(1, ".", {1, 1, 500});
  CHECK(again.looks_like() == "power-off");
  CHECK_FALSE(has(again.or_else("power-off"), "only this direction"));
}

TEST_CASE("silence from the first frame on may be that of the capture") {
  SeenTalk talk;  // begun when the other end was already gone
  for (const std::int64_t pause : {200, 400, 800, 1600}) talk.say(0, ".", {1, 1, 500}).wait(pause);
  CHECK(talk.looks_like() == "power-off");
  CHECK(has(talk.or_else("power-off"), "a capture that has only this direction"));
}

TEST_CASE("what an end announced is known from its frames alone") {
  SeenTalk talk;
  talk.say(1, "S.", {0, 1}).say(1, ".", {1, 101, 0, 0});
  CHECK(talk.looks_like() == "zero-window");
}

TEST_CASE("a capture without plain segments may lack them") {
  SeenTalk early;
  early.say(0, "S", {}).say(1, "S.", {0, 1}).say(1, "R.", {1, 1});
  SeenTalk possible = early;
  possible.facts.around.has_no_plain_segment = true;
  CHECK(possible.looks_like() == "reset-before-connect-returns");
  CHECK(has(possible.or_else("reset-before-connect-returns"), "only SYN, FIN and RST"));
  SeenTalk certain = possible;
  certain.facts.around.lacks_plain_segments = true;
  CHECK(certain.looks_like().empty());
  SeenTalk refused;  // needs nothing but these
  refused.say(0, "S", {}).say(1, "R.", {0, 1});
  refused.facts.around.has_no_plain_segment = true;
  CHECK_FALSE(has(refused.or_else("connection-refused"), "only SYN, FIN and RST"));
}

TEST_CASE("data that a RST acknowledges and no frame has may be unread") {
  SeenTalk talk;
  talk.shake_hands().say(1, ".", {1, 1, 50}).say(0, ".", {1, 51});
  SeenTalk lost = talk;
  lost.wait(1000).say(1, "R.", {51, 101});  // the request of 100 octets is not in the capture
  CHECK(lost.looks_like() == "close-with-unread-data linger-zero");
  SeenTalk none = talk;
  none.wait(1000).say(1, "R.", {51, 1});
  CHECK(none.looks_like() == "data-then-reset");
  SeenTalk middle;  // what came before the capture is not known
  middle.say(1, ".", {1, 1, 50}).say(0, ".", {1, 51}).wait(1000).say(1, "R.", {51, 1});
  CHECK(middle.looks_like() == "close-with-unread-data linger-zero");
}

TEST_CASE("an ACK of octets that the capture has missed is not one of octets never sent") {
  SeenTalk talk;
  talk.shake_hands();
  SeenTalk missed = talk;
  missed.say(1, ".", {1, 101}).say(0, ".", {101, 1});
  CHECK_FALSE(has(missed.looks_like(), "ack-for-data-not-sent"));
  SeenTalk probed = talk;  // by the client, after octets that are not in the capture
  probed.say(1, ".", {1, 101}).wait(9000).say(0, ".", {100, 1}).say(1, ".", {1, 101});
  CHECK_FALSE(has(probed.looks_like(), "ack-for-data-not-sent"));
  SeenTalk unsent = talk;
  unsent.say(1, ".", {1, 101}).say(0, ".", {1, 1});
  CHECK(unsent.looks_like() == "ack-for-data-not-sent");
}

TEST_CASE("a RST in the same tick of the capture's clock is no power cycle") {
  SeenTalk talk;
  talk.shake_hands().say(1, "R", {1});
  CHECK(talk.looks_like() == "abort-on-overflow");
}

TEST_CASE("a time is not taken from data that the capture does not have") {
  SeenTalk talk;  // begins between the data and its acknowledgment
  talk.say(1, ".", {1, 101}).wait(6000).say(0, ".", {100, 1}).say(1, ".", {1, 101});
  CHECK_FALSE(has(talk.looks_like(), "never-accept"));
  CHECK_FALSE(has(talk.looks_like(), "frozen-application"));
}

}  // namespace tcplab::reports::tests
