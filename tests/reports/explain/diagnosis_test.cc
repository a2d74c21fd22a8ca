// Which scenario a connection of a capture looks like: every kind of evidence, and its words.
#include "reports/explain/diagnosis.hh"

#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

TEST_CASE("an open connection looks like nothing") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23});
  CHECK(talk.looks_like().empty());
  CHECK(SeenTalk().say(0, "S", {}).looks_like().empty());  // one SYN: the capture has just begun
}

TEST_CASE("SYNs that were sent again") {
  SeenTalk lost;
  lost.say(0, "S", {}).wait(1000).shake_hands();
  CHECK(lost.looks_like() == "syn-lost");
  CHECK(lost.because("syn-lost") ==
        "10.0.0.1:40000 sent its SYN twice, the last 1.0 s after the first; that one was answered");
  lost.facts.around.listener_answers_others = true;
  CHECK(lost.looks_like() == "backlog-full-for-a-moment syn-lost");

  SeenTalk hole;
  hole.say(0, "S", {}).wait(1000).say(0, "S", {}).wait(2000).say(0, "S", {});
  CHECK(hole.looks_like() == "black-hole firewall-drops-connect");
  CHECK(hole.because("black-hole") ==
        "10.0.0.1:40000 sent its SYN 3 times in 3.0 s, and nobody "
        "answered");
  hole.facts.around.listener_answers_others = true;
  CHECK(hole.looks_like() == "backlog-full abort-on-overflow-at-syn");

  SeenTalk ecn;
  ecn.say(0, "SEW", {}).wait(1000).shake_hands();
  CHECK(ecn.looks_like() == "ecn-black-hole");
}

TEST_CASE("SYN,ACKs that were sent again") {
  SeenTalk lost;
  lost.say(0, "S", {}).say(1, "S.", {0, 1}).wait(1000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(lost.looks_like() == "syn-ack-lost");

  SeenTalk vanished;
  vanished.say(0, "S", {}).say(1, "S.", {0, 1}).wait(1000).say(1, "S.", {0, 1});
  CHECK(vanished.looks_like() == "client-power-off-in-syn-sent");
  vanished.facts.around.never_completed = 4;
  CHECK(vanished.looks_like() == "syn-flood");

  SeenTalk third;
  third.shake_hands().wait(1000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(third.looks_like() == "last-ack-of-the-handshake-lost defer-accept");
}

TEST_CASE("who is refused, and by whom") {
  CHECK(SeenTalk().say(0, "S", {}).say(1, "R.", {0, 1}).looks_like() ==
        "connection-refused firewall-resets-connect");
  CHECK(SeenTalk().say(0, "S", {}).icmp(0, 3, 13, 0).looks_like() ==
        "firewall-prohibits-connect icmp-answers-a-syn");
  CHECK(SeenTalk().say(0, "S", {}).icmp(0, 3, 1, 0).looks_like() ==
        "connect-host-off-behind-router icmp-answers-a-syn");
  CHECK(SeenTalk().say(0, "S", {}).icmp(0, 11, 0, 0).looks_like() == "routing-loop");
  CHECK(SeenTalk().say(0, "S", {}).icmp(0, 3, 1, 7777).looks_like() ==
        "icmp-wrong-sequence-number");
}

TEST_CASE("data that got through at a later try") {
  SeenTalk first;
  first.shake_hands().say(0, ".", {1, 1, 13}).wait(210).say(0, ".", {1, 1, 13});
  CHECK(first.looks_like().empty());  // not yet: it may be more
  first.say(1, ".", {1, 14});
  CHECK(first.looks_like() == "first-data-lost");
  CHECK(first.because("first-data-lost") ==
        "10.0.0.1:40000 sent its first data again once, the "
        "last 210 ms after the first, and it was acknowledged");

  SeenTalk healed;
  healed.shake_hands().say(0, ".", {1, 1, 13});
  for (const int pause : {200, 400, 800}) healed.wait(pause).say(0, ".", {1, 1, 13});
  CHECK(healed.looks_like() == "power-off");
  healed.say(1, ".", {1, 14});
  CHECK(healed.looks_like() == "short-partition");
}

TEST_CASE("what duplicate acknowledgments asked for is no timeout") {
  SeenTalk fast;
  fast.shake_hands().say(0, ".", {1, 1, 100}).say(0, ".", {101, 1, 100});
  fast.say(1, ".", {1, 1, 0, 500, 101}).say(0, ".", {1, 1, 100}).say(1, ".", {1, 201});
  CHECK(fast.looks_like().empty());
  CHECK(fast.facts.end(0).asked_for == 1);
}

TEST_CASE("a path that does not carry full-sized segments") {
  SeenTalk hole;
  hole.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
  hole.say(0, ".", {7, 1, 1448}).say(0, ".", {1455, 1, 160}).say(1, ".", {1, 7, 0, 500, 1455});
  for (const int pause : {8, 208, 416}) hole.wait(pause).say(0, ".", {7, 1, 1448});
  CHECK(hole.looks_like() == "path-mtu-black-hole");
  CHECK(hole.because("path-mtu-black-hole").find("1448 octets 4 times") != std::string::npos);

  SECTION("is found out by smaller ones") {
    hole.wait(800).say(0, ".", {7, 1, 1024}).say(1, ".", {1, 1031});
    CHECK(hole.looks_like() == "path-mtu-probing mtu-probing-delay");
  }
  SECTION("and may be a dead host, where nothing comes back at all") {
    SeenTalk doubtful;
    doubtful.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
    for (int i = 0; i < 4; ++i) doubtful.wait(300).say(0, ".", {7, 1, 1448});
    CHECK(doubtful.looks_like() == "path-mtu-black-hole power-off");
  }
  SECTION("and is no secret where a router says it") {
    hole.icmp(0, 3, 4, 7, 1300);
    CHECK(hole.looks_like() == "path-mtu-discovery");
    CHECK(hole.because("path-mtu-discovery") ==
          "10.0.0.254 told 10.0.0.1:40000 by ICMP that no more than 1300 octets pass");
  }
}

TEST_CASE("large segments to a host that is gone are no question of size") {
  SeenTalk gone;
  gone.shake_hands().say(0, ".", {1, 1, 1448}).say(1, ".", {1, 1449});
  for (int i = 0; i < 4; ++i) gone.wait(300).say(0, ".", {1449, 1, 1448});
  CHECK(gone.looks_like() == "power-off");
}

TEST_CASE("silence, and what is known of it") {
  SeenTalk off;
  off.shake_hands().say(0, ".", {1, 1, 22});
  SECTION("nothing") {
    for (const int pause : {200, 400, 800}) off.wait(pause).say(0, ".", {1, 1, 22});
    CHECK(off.looks_like() == "power-off");
    CHECK(off.because("power-off") ==
          "10.0.0.1:40000 sent its data again, 3 times, and nothing came back any more");
  }
  SECTION("the same wait each time") {
    for (int i = 0; i < 6; ++i) off.wait(208).say(0, ".", {1, 1, 22});
    CHECK(off.looks_like() == "thin-linear-timeouts power-off");
  }
  SECTION("the neighbour is asked for") {
    off.wait(200).say(0, ".", {1, 1, 22});
    off.facts.around.sought = {0, 2};
    CHECK(off.looks_like() == "power-off-same-lan");
  }
  SECTION("a router forwards it no more") {
    SeenTalk routed;
    routed.shake_hands().say(0, ".", {1, 1, 22}).say(0, ".", {1, 1, 22, 500, 0, 63, true});
    routed.say(1, ".", {1, 23}).say(0, ".", {23, 1, 22});
    for (const int pause : {200, 400, 800}) routed.wait(pause).say(0, ".", {23, 1, 22});
    CHECK(routed.looks_like() == "firewall-forgets-and-drops");
  }
}

TEST_CASE("acknowledgments that do not arrive") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  for (const int pause : {200, 400}) talk.wait(pause).say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  CHECK(talk.looks_like() == "return-path-broken");
}

TEST_CASE("copies are not retransmissions") {
  SeenTalk copied;
  copied.shake_hands().say(0, ".", {1, 1, 5}).say(0, ".", {1, 1, 5, 500, 0, 64, true});
  copied.say(1, ".", {1, 6});
  CHECK(copied.looks_like() == "data-duplicated");

  SeenTalk early;
  early.shake_hands().say(0, ".", {1, 1, 50}).wait(210).say(0, ".", {1, 1, 50});
  early.wait(100).say(1, ".", {1, 201, 0, 500, 0});
  early.say(0, ".", {51, 1, 150}).say(1, ".", {1, 201, 0, 500, 1});
  CHECK(early.facts.end(0).needless == 1);  // D-SACK
}

TEST_CASE("segments that overtake each other") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(0, ".", {101, 1, 100});
  talk.say(1, ".", {1, 1, 0, 500, 101}).say(1, ".", {1, 201});
  CHECK(talk.looks_like() == "data-reordered");
}

TEST_CASE("windows of zero") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(1, ".", {1, 101, 0, 0});
  CHECK(talk.looks_like() == "zero-window");
  talk.wait(200).say(0, ".", {100, 1}).say(1, ".", {1, 101, 0, 0});
  CHECK(talk.because("zero-window") ==
        "10.0.0.2:8080 announced a window of zero, and was probed once");
  SECTION("and their opening, which is lost") {
    talk.say(1, ".", {1, 101, 0, 500}).wait(400).say(0, ".", {100, 1});
    CHECK(talk.looks_like() == "window-update-lost");
  }
  SECTION("of both ends") {
    talk.say(0, ".", {101, 1, 0, 0});
    CHECK(talk.looks_like() == "both-write-nobody-reads");
  }
  SECTION("and nobody at home when they open") {
    talk.wait(900).say(1, ".", {1, 101, 0, 500}).say(0, "R", {101});
    CHECK(talk.looks_like() == "orphan-zero-window zero-window");
  }
}

TEST_CASE("keepalive probes") {
  SeenTalk talk;
  talk.shake_hands().wait(2000).say(0, ".", {0, 1});
  SECTION("that find a power cycle") {
    talk.say(1, "R", {1});
    CHECK(talk.looks_like() == "keepalive-finds-power-cycle");
  }
  SECTION("that nobody answers") {
    talk.wait(1000).say(0, ".", {0, 1}).wait(1000).say(0, "R.", {1, 1});
    CHECK(talk.looks_like() == "keepalive-finds-power-off");
    CHECK(talk.because("keepalive-finds-power-off") ==
          "10.0.0.1:40000 sent a keepalive probe twice, nothing came back, and it reset");
  }
  SECTION("that are answered") {
    talk.say(1, ".", {1, 1}).wait(1000).say(0, ".", {0, 1}).say(1, ".", {1, 1});
    CHECK(talk.looks_like() == "nat-kept-open-by-keepalive frozen-application");
    talk.say(0, ".", {1, 1, 100}).say(1, ".", {1, 101, 0, 0});
    CHECK(talk.looks_like() == "frozen-application");
  }
  SECTION("in CLOSE_WAIT") {
    SeenTalk stale;
    stale.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(2000).say(0, ".", {0, 2});
    stale.say(1, "R", {2});
    CHECK(stale.looks_like() == "keepalive-in-close-wait");
  }
}

TEST_CASE("resets in answer to a segment") {
  SeenTalk data;
  data.shake_hands().wait(1200).say(0, ".", {1, 1, 22}).say(1, "R", {1});
  CHECK(data.looks_like() == "power-cycle firewall-forgets-and-resets");
  SECTION("by somebody on the way, as the other end goes on") {
    data.say(1, ".", {1, 1, 6});
    CHECK(data.looks_like() == "firewall-forgets-and-resets");
  }
  SECTION("by somebody on the way, as the hop limit says") {
    SeenTalk other;
    other.shake_hands().say(0, ".", {1, 1, 22}).say(1, "R", {1, 0, 0, 0, 0, 61});
    CHECK(other.because("firewall-forgets-and-resets") ==
          "the RST has a hop limit of 61, and all else from 10.0.0.2:8080 had 64: it came from "
          "somewhere else");
  }
  SeenTalk third;
  third.shake_hands().say(1, "R", {1});
  CHECK(third.looks_like() == "abort-on-overflow power-cycle-in-handshake");
  SeenTalk writer;
  writer.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(1000);
  writer.say(0, ".", {1, 2, 22}).say(1, "R", {2});
  CHECK(writer.looks_like() == "broken-without-failure write-to-orphan");
}

TEST_CASE("resets that nothing provoked") {
  SeenTalk bare;
  bare.shake_hands().say(0, "R.", {1, 1});
  CHECK(bare.looks_like() == "linger-zero socket-destroyed");
  SeenTalk unread;
  unread.shake_hands().say(0, ".", {1, 1, 16}).say(1, ".", {1, 17}).say(1, "R.", {1, 17});
  CHECK(unread.looks_like() == "close-with-unread-data linger-zero");
  CHECK(unread.because("close-with-unread-data") ==
        "10.0.0.2:8080 had got 16 octets, and ended with a RST instead of a FIN");
  SeenTalk sent;
  sent.shake_hands().say(1, ".", {1, 1, 14}).say(0, ".", {1, 15}).say(1, "R.", {15, 1});
  CHECK(sent.looks_like() == "data-then-reset");
  SeenTalk half;
  half.shake_hands().say(0, "F.", {1, 1}).say(1, ".", {1, 2}).say(1, "R.", {1, 2});
  CHECK(half.looks_like() == "abort-in-close-wait");
}

TEST_CASE("how connections close") {
  SeenTalk talk;
  talk.shake_hands().say(0, "F.", {1, 1});
  SECTION("in order") {
    talk.say(1, ".", {1, 2});
    CHECK(talk.looks_like() == "broken-without-failure");  // so far
    talk.say(1, "F.", {1, 2}).say(0, ".", {2, 2});
    CHECK(talk.looks_like() == "warmup");
    talk.wait(200).say(1, "F.", {1, 2}).say(0, ".", {2, 2});
    CHECK(talk.looks_like() == "last-ack-lost");
  }
  SECTION("with a FIN that is lost") {
    talk.wait(210).say(0, "F.", {1, 1}).say(1, ".", {1, 2});
    CHECK(talk.looks_like() == "fin-lost");
  }
  SECTION("both at once") {
    talk.say(1, "F.", {1, 1}).say(0, ".", {2, 2}).say(1, ".", {2, 2});
    CHECK(talk.looks_like() == "simultaneous-close");
  }
  SECTION("one half") {
    talk.say(1, ".", {1, 2}).wait(500).say(1, ".", {1, 2, 14}).say(0, ".", {2, 15});
    CHECK(talk.looks_like() == "shutdown-then-write");
  }
}

TEST_CASE("what comes after both have closed") {
  SeenTalk talk;
  talk.shake_hands().say(1, ".", {1, 1, 14}).say(0, ".", {1, 15}).say(0, "F.", {1, 15});
  talk.say(1, "F.", {15, 2}).say(0, ".", {2, 16});
  CHECK(talk.looks_like() == "warmup");
  talk.say(1, ".", {1, 2, 14}).say(0, ".", {2, 16});
  CHECK(talk.looks_like() == "old-duplicate-into-time-wait");
  talk.say(1, "R", {16});
  CHECK(talk.looks_like() == "time-wait-assassination time-wait-assassination-prevented");
}

TEST_CASE("two SYNs that cross") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(1, "S", {}).say(0, "S.", {0, 1}).say(1, "S.", {0, 1});
  CHECK(talk.looks_like() == "simultaneous-open");
}

TEST_CASE("what comes out of place is challenged") {
  SeenTalk reset;
  reset.shake_hands().say(1, "R.", {101, 1}).say(0, ".", {1, 1});
  CHECK(reset.looks_like() == "rst-in-window");
  SeenTalk syn;
  syn.shake_hands().say(0, "S", {700}).say(1, ".", {1, 1});
  CHECK(syn.looks_like() == "syn-into-established");
  syn.say(0, "R", {1});
  CHECK(syn.looks_like() == "half-open-discovery");
}

TEST_CASE("what its sender knows nothing of") {
  SeenTalk fin;
  fin.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).say(1, ".", {1, 1, 23});
  CHECK(fin.looks_like() == "fin-forged");
  SeenTalk reset;
  reset.shake_hands().say(1, "R.", {1, 1}).say(1, ".", {1, 1, 6});
  CHECK(reset.looks_like() == "rst-exact");
  SeenTalk data;
  data.shake_hands().say(1, ".", {1, 1, 20}).say(0, ".", {1, 21}).say(1, ".", {1, 1});
  CHECK(data.looks_like() == "data-injected");
  SeenTalk scan;
  scan.say(0, "-", {}).say(1, "R", {});
  CHECK(scan.looks_like() == "probes-to-a-closed-port");
}

TEST_CASE("urgent data, and data that waits for an acknowledgment") {
  SeenTalk urgent;
  urgent.shake_hands().say(0, "U.", {1, 1, 4}).say(1, ".", {1, 5});
  CHECK(urgent.looks_like() == "urgent-pointer urgent-inline");
  SeenTalk nagle;
  nagle.shake_hands().say(0, ".", {1, 1, 2}).wait(41).say(1, ".", {1, 3}).say(0, ".", {3, 1, 2});
  CHECK(nagle.looks_like() == "nagle-and-delayed-ack");
}

}  // namespace tcplab::reports::tests
