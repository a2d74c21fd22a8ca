// Checks for each rule the frames that it needs: a capture that it is made for, and the nearest one
// that must not match.
#include "reports/explain/diagnosis.hh"
#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

namespace {

SeenTalk asked() {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23, 50}).say(0, ".", {23, 51});
  return talk;
}

}  // namespace

TEST_CASE("a RST after silence answers nothing, and is no sign of a power cycle") {
  SeenTalk silent = asked();
  silent.wait(9000).say(1, "R", {51});
  CHECK(silent.looks_like().empty());
  CHECK(silent.because("") ==
        "a RST of the server came 9.0 s after the last segment, and answers no segment of the "
        "capture");
  CHECK(has(silent.or_else(""), "idle timeout"));
  SeenTalk answered = asked();
  answered.wait(9000).say(0, ".", {23, 51, 22}).say(1, "R", {51});
  CHECK(answered.looks_like() == "power-cycle firewall-forgets-and-resets");
}

TEST_CASE("a slow path delays the answer of a RST") {
  SeenTalk far;
  far.say(0, "S", {}).wait(600).say(1, "S.", {0, 1}).say(0, ".", {1, 1}).wait(5000);
  far.say(0, ".", {1, 1, 22}).wait(700).say(1, "R", {1});
  CHECK(far.looks_like() == "power-cycle firewall-forgets-and-resets");
}

TEST_CASE("a RST after its sender's own segment answers nothing") {
  SeenTalk own = asked();
  own.wait(2000).say(1, ".", {51, 23, 10}).say(1, "R", {61});
  CHECK(own.looks_like() == "reply-then-close-with-unread-data linger-zero");
  SeenTalk acknowledges;
  acknowledges.shake_hands().wait(2000).say(0, ".", {1, 1, 22}).say(1, ".", {1, 23});
  acknowledges.say(1, "R", {1});
  CHECK(acknowledges.looks_like().empty());
  CHECK(has(acknowledges.because(""),
            "after a segment of its own, and answers no segment of the capture"));
  SeenTalk crossed;  // the data is not acknowledged: the RST answers it
  crossed.shake_hands().wait(2000).say(0, ".", {1, 1, 22}).say(1, ".", {1, 1}).say(1, "R", {1});
  CHECK(crossed.looks_like() == "firewall-forgets-and-resets");
}

TEST_CASE("only the end that closed first can lack a TIME_WAIT") {
  SeenTalk first;
  first.shake_hands().say(0, "F.", {1, 1}).say(1, ".", {1, 2}).say(1, "F.", {1, 2}).wait(200);
  first.say(1, "F.", {1, 2}).say(0, "R", {2});
  CHECK(first.looks_like() == "time-wait-buckets");
  SeenTalk never;
  never.shake_hands().say(1, "F.", {1, 1}).wait(400).say(1, "F.", {1, 1}).wait(800);
  never.say(1, "F.", {1, 1});
  SECTION("the RST answers") {
    never.say(0, "R", {1});
    CHECK(never.looks_like().empty());
    CHECK(never.because("").ends_with("after the last one, a RST of the client answered it"));
  }
  SECTION("the RST is late") {
    never.wait(1100).say(0, "R", {1});
    CHECK(never.looks_like().empty());
    CHECK(never.because("") ==
          "the server sent its FIN 3 times without an acknowledgment; then, 1.1 s after the last "
          "one, a RST of the client came, too late to be an answer");
  }
}

TEST_CASE("data after a close is written to an orphan; a bare FIN finds FIN_WAIT2 left") {
  SeenTalk bare;
  bare.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(2900).say(0, "F.", {1, 2});
  bare.say(1, "R", {2});
  CHECK(bare.looks_like() == "linger2");
  SeenTalk both;
  both.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(2900);
  both.say(0, "F.", {1, 2, 23}).say(1, "R", {2});
  CHECK(both.looks_like() == "write-to-orphan broken-without-failure");
  SeenTalk two;
  two.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(600).say(0, ".", {1, 2, 39});
  two.say(0, ".", {40, 2, 24}).say(0, "F.", {64, 2}).say(1, "R", {2});
  CHECK(two.looks_like() == "write-to-orphan broken-without-failure");
}

TEST_CASE("data that crosses a close meets an idle timeout, and not an orphan") {
  SeenTalk race = asked();
  race.wait(5000).say(0, ".", {23, 51, 22}).say(1, "F.", {51, 23}).say(1, "R", {51});
  CHECK(race.looks_like() == "close-with-unread-data");
  CHECK(has(race.because(""), "the two crossed; the connection had been idle for 5.0 s"));
  SeenTalk first = asked();  // captured at the server
  first.wait(5000).say(1, "F.", {51, 23}).say(0, ".", {23, 51, 22}).say(1, "R", {51});
  CHECK(has(first.because(""), "the two crossed; the connection had been idle for 5.0 s"));
  SeenTalk late = asked();  // the client had the FIN before it wrote
  late.wait(5000).say(1, "F.", {51, 23}).say(0, ".", {23, 52}).say(0, ".", {23, 52, 22});
  late.say(1, "R", {52});
  CHECK(late.looks_like() == "write-to-orphan power-cycle-in-close-wait");
}

TEST_CASE("RFC 793 ends a connection at a SYN, or at any RST in the window") {
  SeenTalk syn;
  syn.shake_hands().say(0, "S", {700}).say(1, "R.", {1, 1});
  CHECK(syn.looks_like() == "syn-into-established");
  SeenTalk reset;
  reset.shake_hands().wait(2000).say(0, "R", {101}).wait(300).say(0, ".", {1, 1, 22});
  reset.say(1, "R", {1});
  CHECK(reset.looks_like() == "rst-in-window");
  CHECK(has(reset.because("rst-in-window"), "100 octets above the number that the server"));
  SeenTalk challenged;  // its kernel had the connection after the RST
  challenged.shake_hands().wait(2000).say(0, "R", {101}).say(1, ".", {1, 1}).wait(300);
  challenged.say(0, ".", {1, 1, 22}).say(1, "R", {1});
  CHECK(challenged.looks_like() == "rst-in-window");
  CHECK(challenged.because("rst-in-window") ==
        "a RST whose number was not the next one arrived once; the server answered with an ACK and "
        "kept the connection (RFC 5961 section 3.2)");
}

TEST_CASE("a RST that answers octets acknowledged long ago comes from another TCP") {
  SeenTalk old;
  old.shake_hands();
  for (const std::uint32_t first : {1U, 1401U, 2801U})
    old.say(1, ".", {first, 1, 1400}).say(0, ".", {1, first + 1400});
  SeenTalk next = old;
  old.say(1, ".", {1, 1, 1400}).say(0, "R", {1});
  CHECK(
      old.because("").starts_with("the client answered a retransmission of octets that it had "
                                  "acknowledged with a RST: they begin 4.2 kB below"));
  next.say(1, ".", {4201, 1, 1400}).say(0, "R", {1});
  CHECK(next.looks_like() == "firewall-forgets-and-resets");
}

TEST_CASE("new data shows that acknowledgments arrive") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  for (const int pause : {200, 400}) talk.wait(pause).say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  CHECK(talk.looks_like() == "return-path-broken");
  CHECK(has(talk.or_else("return-path-broken"), "round trip"));
  talk.say(0, ".", {18, 1, 17}).say(1, ".", {1, 35});
  CHECK(talk.looks_like().empty());
}

TEST_CASE("a keepalive probe with an octet of garbage is no retransmission") {
  SeenTalk talk = asked();
  for (int i = 0; i < 3; ++i) {
    talk.wait(1000).say(0, ".", {22, 51, 1}).say(1, ".", {51, 23, 0, 500, 22});
  }
  CHECK(talk.looks_like() == "nat-kept-open-by-keepalive frozen-application");
}

TEST_CASE("D-SACK calls retransmissions spurious; one may be a tail loss probe") {
  SeenTalk talk;
  talk.shake_hands();
  for (const std::uint32_t first : {1U, 101U}) {
    talk.say(0, ".", {first, 1, 100}).say(1, ".", {1, first + 100}).say(0, ".", {first, 1, 100});
    talk.say(1, ".", {1, first + 100, 0, 500, first});
    CHECK(talk.looks_like() == (first == 1 ? "" : "spurious-retransmission"));
  }
  CHECK(talk.because("spurious-retransmission") ==
        "the client retransmitted data, and the server reports that it had it already (D-SACK, "
        "twice)");
}

TEST_CASE("a gap before segments of the same size is no fault of the path MTU") {
  SeenTalk gap;
  gap.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
  gap.say(0, ".", {1455, 1, 1448}).say(1, ".", {1, 7, 0, 500, 1455});
  CHECK(gap.looks_like().empty());
  CHECK(gap.because("") ==
        "1448 octets of the client are not in the capture, and were not acknowledged; later ones "
        "are, in segments of up to 1448 octets");
  SeenTalk filtered;  // to SYN and FIN
  filtered.shake_hands().say(0, "F.", {1933, 1});
  CHECK(filtered.looks_like().empty());
  CHECK(filtered.because("").empty());
}

TEST_CASE("an ACK that newer data overtook is not taken for one after forged data") {
  SeenTalk injected;
  injected.shake_hands().say(1, ".", {1, 1, 20}).say(0, ".", {1, 21}).say(1, ".", {1, 1});
  CHECK(injected.looks_like() == "data-injected");
  CHECK(has(injected.or_else("data-injected"), "overtook"));
  SECTION("its sender does not know of the data") {
    injected.say(1, ".", {1, 1, 100}).say(1, ".", {101, 1, 100});
    CHECK(injected.looks_like() == "data-injected");
  }
  SECTION("its sender goes on after the data") {
    injected.say(1, ".", {21, 1, 100});
    CHECK(injected.looks_like().empty());
  }
  SeenTalk stamped;
  stamped.shake_hands().say(1, ".", {.sequence = 1, .acknowledgment = 1, .length = 20, .stamp = 9});
  stamped.say(0, ".", {1, 21}).say(1, ".", {.sequence = 1, .acknowledgment = 1, .stamp = 8});
  CHECK(stamped.looks_like().empty());
}

TEST_CASE("a SYN,ACK that is reset at once was only asked for") {
  SeenTalk check;
  check.say(0, "S", {}).say(1, "S.", {0, 1}).say(0, "R", {1});
  CHECK(check.looks_like() == "close-while-connecting");
  CHECK(has(check.or_else(""), "health check"));
  SeenTalk late;
  late.say(0, "S", {}).wait(900).say(1, "S.", {0, 1}).say(0, "R", {1});
  CHECK(late.looks_like() == "close-while-connecting client-power-cycled-in-syn-sent");
  SeenTalk whole;
  whole.shake_hands().say(0, "R", {1});
  CHECK(has(whole.or_else(""), "health check"));
}

TEST_CASE("new SYNs to an end that has not closed the last connection are named") {
  SeenTalk reuse;
  reuse.shake_hands().say(0, "F.", {1, 1}).say(1, ".", {1, 2}).wait(90'000);
  reuse.say(0, "S", {7000}).wait(1000).say(0, "S", {7000});
  CHECK(reuse.looks_like() == "broken-without-failure");
  CHECK(
      reuse.because("") ==
      "the client sent 2 new SYNs without an answer; the capture does not show that the server has "
      "closed the last connection of that port: it received a FIN and sent none, so it is probably "
      "in CLOSE_WAIT");
  reuse.say(1, ".", {1, 2});
  CHECK(reuse.looks_like() == "syn-into-established");
}

TEST_CASE("a new SYN that is refused shows that the old connection is gone") {
  SeenTalk talk = asked();
  talk.wait(30'000).say(0, "S", {900});
  constexpr std::uint32_t kZero = 0U - 5000U;  // the number 0; the server's first one is 5000
  talk.say(1, "R.", {kZero, 901});
  CHECK(talk.looks_like().empty());
  CHECK(has(talk.because(""), "neither that connection nor a listener"));
  CHECK(has(talk.or_else(""), "restarted"));
}

TEST_CASE("the end that closed second has left no FIN_WAIT2") {
  SeenTalk talk = asked();
  talk.say(0, "F.", {23, 51}).say(1, ".", {51, 24}).say(1, "F.", {51, 24}).say(0, ".", {24, 52});
  talk.wait(1000).say(0, "F.", {23, 52}).say(1, "R", {52});
  CHECK(talk.looks_like().empty());
  CHECK(has(talk.because(""), "the end that closes second has no TIME_WAIT"));
}

TEST_CASE("a port that is used again too soon meets a TIME_WAIT") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(1, ".", {901, 701}).say(0, "R", {701});
  CHECK(talk.looks_like() == "half-open-discovery");
  talk.facts.around.follows_time_wait = true;
  CHECK(has(talk.because(""), "had just ended at the server (TIME_WAIT, or LAST_ACK"));
}

TEST_CASE("unanswered SYNs name what else the capture shows") {
  SeenTalk talk;
  talk.say(0, "S", {}).wait(1000).say(0, "S", {});
  talk.facts.around.listener_answers_others = true;
  CHECK(talk.looks_like() == "backlog-full abort-on-overflow-at-syn");
  CHECK(has(talk.or_else("backlog-full"), "firewall"));
  talk.facts.around.has_older_stamp = true;
  CHECK(has(talk.because(""), "tcp_tw_recycle"));
  talk.facts.around.follows_time_wait = true;
  CHECK(has(talk.because(""), "TIME_WAIT"));
}

TEST_CASE("a listener that waits for data resets what comes too late") {
  SeenTalk defers;
  defers.shake_hands().wait(3000).say(1, "S.", {0, 1}).say(0, ".", {1, 1}).wait(75'000);
  defers.say(0, ".", {1, 1, 350}).say(1, "R", {1});
  CHECK(defers.looks_like() == "defer-accept backlog-full-at-last-ack firewall-forgets-and-resets");
  SeenTalk prompt;
  prompt.shake_hands().wait(75'000).say(0, ".", {1, 1, 350}).say(1, "R", {1});
  CHECK(prompt.looks_like() == "firewall-forgets-and-resets power-cycle");
}

TEST_CASE("segments beyond the unscaled window show a path that ignores the scale") {
  SeenTalk scaled;
  scaled.say(0, "S", {.scale = 2}).say(1, "S.", {.acknowledgment = 1, .scale = 2});
  scaled.say(0, ".", {1, 1}).say(1, ".", {1, 1, 10});
  SeenTalk small = scaled;
  scaled.say(0, ".", {1, 11, 400}).say(0, ".", {401, 11, 400}).say(1, ".", {11, 401});
  for (int i = 0; i < 3; ++i) scaled.wait(300).say(0, ".", {401, 11, 400});
  CHECK(scaled.looks_like() == "power-off window-scale-lost");
  small.say(0, ".", {1, 11, 400});
  for (int i = 0; i < 3; ++i) small.wait(300).say(0, ".", {1, 11, 400});
  CHECK(small.looks_like() == "power-off");
}

TEST_CASE("a port used again does not explain data without acknowledgment") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 39});
  talk.facts.around.follows_time_wait = true;
  talk.facts.around.ends_at = 10'000'000'000;
  CHECK(has(talk.because(""), "39 octets of the client were not acknowledged in 10.0 s"));
  CHECK(talk.looks_like().empty());
  talk.facts.around.ends_at = 0;
  talk.say(1, ".", {1, 40});
  CHECK(talk.looks_like() == "syn-reopens-time-wait time-wait-holds-ports");
}

TEST_CASE("a FIN that is reset found the connection gone") {
  SeenTalk fin;
  fin.say(1, "F.", {1, 1}).say(0, "R", {1});
  CHECK(has(fin.because(""), "it no longer had the connection"));
}

}  // namespace tcplab::reports::tests
