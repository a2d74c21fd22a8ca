// Checks captures that lie next to those that a rule is made for, and that it must not match.
#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

namespace {

/// The client retransmits a segment of 1460 octets after smaller ones were acknowledged.
SeenTalk full_size() {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 200}).say(1, ".", {1, 201});
  talk.say(0, ".", {201, 1, 1460});
  return talk;
}

SeenTalk& time_out(SeenTalk& talk, const Said& said) {
  for (const std::int64_t pause : {200, 400, 800, 1600}) talk.wait(pause).say(0, ".", said);
  return talk;
}

}  // namespace

TEST_CASE("a path that does not pass a small segment either has no fault of its MTU") {
  SeenTalk hole = full_size();
  hole.say(0, ".", {1661, 1, 300}).say(1, ".", {1, 201, 0, 500, 1661});
  time_out(hole, {201, 1, 1460});
  CHECK(hole.looks_like() == "path-mtu-black-hole");
  SeenTalk gone = full_size();
  gone.say(0, ".", {1661, 1, 300});
  time_out(gone, {201, 1, 1460});
  CHECK(gone.looks_like() == "power-off");
  SeenTalk unknown = full_size();  // nothing small was sent since
  time_out(unknown, {201, 1, 1460});
  CHECK(unknown.looks_like() == "path-mtu-black-hole power-off");
}

TEST_CASE("a sender that keeps its size after the report of a router is named") {
  SeenTalk obeys = full_size();
  obeys.icmp(0, 3, 4, 201, 1400).say(0, ".", {201, 1, 1360}).say(1, ".", {1, 1561});
  CHECK(obeys.looks_like() == "path-mtu-discovery");
  CHECK_FALSE(has(obeys.because("path-mtu-discovery"), "again"));
  SeenTalk ignores = full_size();
  ignores.icmp(0, 3, 4, 201, 1400);
  time_out(ignores, {201, 1, 1460});
  CHECK(has(ignores.because("path-mtu-discovery"),
            "the client sent 1460 octets again 4 times at that size"));
}

TEST_CASE("two acknowledgments of one segment show that no copy was lost") {
  SeenTalk lost;
  lost.shake_hands().say(0, ".", {1, 1, 100}).wait(200).say(0, ".", {1, 1, 100});
  lost.wait(20).say(1, ".", {1, 101});
  CHECK(lost.looks_like() == "first-data-lost backlog-full-at-last-ack");
  SeenTalk slow = lost;
  slow.wait(200).say(1, ".", {1, 101});
  CHECK(slow.looks_like() == "spurious-retransmission");
  CHECK(has(slow.because("spurious-retransmission"), "acknowledged the same octets twice"));
  SeenTalk reads = lost;  // a window update is no second acknowledgment
  reads.wait(200).say(1, ".", {1, 101, 0, 800});
  CHECK(reads.looks_like() == "first-data-lost backlog-full-at-last-ack");
  SeenTalk probed = lost;  // nor is the answer to a keepalive probe
  probed.wait(9000).say(0, ".", {100, 1}).say(1, ".", {1, 101});
  CHECK_FALSE(has(probed.looks_like(), "spurious"));
}

TEST_CASE("a segment that was sent before the one that overtook it is no retransmission") {
  SeenTalk talk;  // the server is 20 ms away
  talk.say(0, "S", {}).wait(20).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  talk.say(1, ".", {1, 1, 100}).say(1, ".", {201, 1, 100});
  SeenTalk late = talk;
  late.wait(50).say(1, ".", {101, 1, 100});
  CHECK(late.facts.end(1).overtaken == 0);
  SeenTalk soon = talk;
  soon.say(0, ".", {1, 101, 0, 500, 201}).say(1, ".", {101, 1, 100});
  CHECK(soon.facts.end(1).overtaken == 1);
  CHECK(soon.looks_like() == "data-reordered");
  SeenTalk fast = talk;  // two duplicate ACKs ask for it
  fast.say(0, ".", {1, 101}).say(0, ".", {1, 101}).say(0, ".", {1, 101});
  fast.say(1, ".", {101, 1, 100});
  CHECK(fast.facts.end(1).overtaken == 0);
  SeenTalk near;  // the server is so near that it may have been asked
  near.shake_hands().say(1, ".", {1, 1, 100}).say(1, ".", {201, 1, 100});
  near.say(0, ".", {1, 101, 0, 500, 201}).say(1, ".", {101, 1, 100});
  CHECK(near.facts.end(1).overtaken == 0);
  SeenTalk stamped;
  stamped.shake_hands().say(1, ".",
                            {.sequence = 1, .acknowledgment = 1, .length = 100, .stamp = 9});
  stamped.say(1, ".", {.sequence = 201, .acknowledgment = 1, .length = 100, .stamp = 9}).wait(50);
  stamped.say(1, ".", {.sequence = 101, .acknowledgment = 1, .length = 100, .stamp = 8});
  CHECK(stamped.facts.end(1).overtaken == 1);
}

TEST_CASE("a client that closes without a reply has a timeout, whatever came later") {
  SeenTalk asked;
  asked.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23}).wait(10'000);
  asked.say(0, "F.", {23, 1}).say(1, ".", {1, 24});
  SeenTalk late = asked;
  late.wait(2000).say(1, ".", {1, 24, 500}).say(0, "R", {24});
  CHECK(has(late.looks_like(), "write-to-orphan"));
  CHECK(has(late.because(""), "the client closed 10.0 s after its last data"));
  SeenTalk replied;
  replied.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23, 50}).wait(10'000);
  replied.say(0, "F.", {23, 51}).say(1, ".", {51, 24}).wait(2000);
  replied.say(1, ".", {51, 24, 500}).say(0, "R", {24});
  CHECK_FALSE(has(replied.because(""), "closed 10.0 s after"));
}

TEST_CASE("data that was under way when its receiver closed is no data after a close") {
  SeenTalk upload;
  upload.shake_hands().say(0, ".", {1, 1, 1460}).say(0, ".", {1461, 1, 1460}).wait(20);
  upload.say(1, ".", {1, 1461, 300}).say(1, "F.", {301, 1461}).say(1, "R", {1});
  upload.wait(1).say(0, ".", {2921, 302, 1460}).wait(20).say(1, "R", {302});
  CHECK(upload.looks_like() == "close-with-unread-data");
  CHECK(has(upload.because(""), "closed while data of the client was on its way"));
}

TEST_CASE("a host may have started again long after its FIN") {
  SeenTalk late;
  late.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(80'000);
  late.say(0, ".", {1, 2, 9}).say(1, "R", {2});
  CHECK(has(late.or_else("write-to-orphan"), "power cycled after its FIN"));
}

TEST_CASE("acknowledgments that do not reach a server look like its full accept queue") {
  SeenTalk talk;
  talk.shake_hands();
  for (const std::int64_t pause : {1000, 2000})
    talk.wait(pause).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(talk.looks_like() == "backlog-full-at-last-ack defer-accept");
  CHECK(has(talk.or_else("backlog-full-at-last-ack"), "lost"));
}

TEST_CASE("a RST that comes before its sender can have the data is of a nearer host") {
  SeenTalk far;
  far.say(0, "S", {}).wait(20).say(1, "S.", {0, 1}).say(0, ".", {1, 1}).say(0, ".", {1, 1, 517});
  SeenTalk near = far;
  near.wait(1).say(1, "R.", {1, 518});
  CHECK(near.looks_like() == "rst-exact");
  SeenTalk crossed = far;  // it does not acknowledge the data: it was under way already
  crossed.wait(1).say(1, "R.", {1, 1});
  CHECK(crossed.looks_like() != "rst-exact");
  SeenTalk once;  // only the SYN,ACK was late
  once.say(0, "S", {}).wait(20).say(1, "S.", {0, 1}).say(0, ".", {1, 1}).say(0, ".", {1, 1, 9});
  once.wait(1).say(1, ".", {1, 10}).say(0, ".", {10, 1, 517}).wait(1).say(1, "R.", {1, 527});
  CHECK(once.looks_like() == "close-with-unread-data linger-zero");
  SeenTalk in_time = far;
  in_time.wait(20).say(1, "R.", {1, 518});
  CHECK(in_time.looks_like() == "close-with-unread-data linger-zero");
}

TEST_CASE("a SYN,ACK for another number is refused, and the SYN remains") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(1, "S.", {0, 900}).say(0, "R", {900});
  CHECK(talk.looks_like().empty());
  CHECK(talk.because("") ==
        "the server answered the client's SYN with a SYN,ACK for another number, and the client "
        "reset that (RFC 9293 section 3.10.7.3): it belongs to another SYN");
  talk.wait(1000).say(0, "S", {}).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(has(talk.because(""), "for another number"));
  SeenTalk asked;  // it only asked whether the port is open
  asked.say(0, "S", {}).say(1, "S.", {0, 1}).say(0, "R", {1});
  CHECK_FALSE(has(asked.because(""), "another number"));
}

TEST_CASE("octets that never arrived are not before smaller segments if none was seen") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(1, "F.", {1401, 101}).say(0, ".", {101, 1});
  CHECK(has(talk.because("path-mtu-black-hole"), "and later segments without data did"));
}

TEST_CASE("a client that sends its SYN again is alive") {
  SeenTalk alive;
  alive.say(0, "S", {}).say(1, "S.", {0, 1}).wait(1000).say(0, "S", {}).say(1, "S.", {0, 1});
  CHECK(alive.looks_like() == "syn-ack-lost");
  SeenTalk gone;
  gone.say(0, "S", {}).say(1, "S.", {0, 1}).wait(1000).say(1, "S.", {0, 1});
  CHECK(gone.looks_like() == "client-power-off-in-syn-sent");
}

TEST_CASE("several timeouts that each repaired a segment tell of losses, or of delays") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(1, ".", {1, 101});
  const auto lose = [&talk](std::uint32_t number) {
    talk.say(0, ".", {number, 1, 100}).wait(300).say(0, ".", {number, 1, 100});
    talk.wait(10).say(1, ".", {1, number + 100});
  };
  lose(101);
  lose(201);
  CHECK(talk.because("").empty());
  lose(301);
  CHECK(talk.because("") == "the client sent 3 segments again (42.9 % of what it sent)");
  CHECK(has(talk.or_else(""), "beyond the RTO"));
}

TEST_CASE("a port that is used again has two SYN,ACKs, and one host that answers") {
  SeenTalk two;
  two.say(0, "S", {}).say(1, "S.", {0, 1}).say(1, "S.", {900, 1}).say(0, ".", {1, 1});
  CHECK(has(two.because(""), "two hosts answer"));
  SeenTalk again;  // the end of the old connection is not in the capture
  again.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23, 50}).wait(30'000);
  again.say(0, "S", {70'000}).say(1, "S.", {90'000, 70'001}).say(0, ".", {70'001, 90'001});
  CHECK_FALSE(has(again.because(""), "two hosts answer"));
}

TEST_CASE("an ACK of this SYN's number is of no older connection") {
  SeenTalk older;
  older.say(0, "S", {}).say(1, ".", {900, 500}).say(0, "R", {500});
  CHECK(older.looks_like() == "half-open-discovery");
  SeenTalk dropped;  // the capture lacks the SYN,ACK
  dropped.say(0, "S", {}).say(1, ".", {1, 1}).say(1, ".", {1, 1, 100}).say(0, ".", {1, 101});
  dropped.say(0, "R.", {1, 101});
  CHECK_FALSE(has(dropped.looks_like(), "half-open-discovery"));
}

TEST_CASE("an end whose hop limits differ anyway does not show who sent its RST") {
  const auto reset = [](std::uint8_t of_data) {
    SeenTalk talk;
    talk.say(0, "S", {}).say(1, "S.", {.acknowledgment = 1, .hop_limit = 250});
    talk.say(0, ".", {1, 1, 22});
    talk.say(1, ".", {.sequence = 1, .acknowledgment = 23, .length = 9, .hop_limit = of_data});
    talk.wait(2000).say(1, "R.", {.sequence = 10, .acknowledgment = 23, .hop_limit = 64});
    return talk.looks_like();
  };
  CHECK(reset(250) == "rst-exact");
  CHECK(reset(64) == "reply-then-close-with-unread-data linger-zero");  // a SYN proxy
}

TEST_CASE("the filler of an older gap is not measured from a newer one") {
  SeenTalk talk;
  talk.say(0, "S", {}).wait(20).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  talk.say(1, ".", {1, 1, 100}).say(1, ".", {201, 1, 100}).wait(25);
  talk.say(1, ".", {401, 1, 100}).say(1, ".", {101, 1, 100});  // 25 ms after the first gap
  CHECK(talk.facts.end(1).overtaken == 0);
}

TEST_CASE("one new SYN at the end of a capture may still be answered") {
  SeenTalk talk;
  talk.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).say(0, "S", {70'000});
  CHECK_FALSE(has(talk.because(""), "new SYN"));
  talk.wait(1000).say(0, "S", {70'000});
  CHECK(has(talk.because(""), "2 new SYNs without an answer"));
}

}  // namespace tcplab::reports::tests
