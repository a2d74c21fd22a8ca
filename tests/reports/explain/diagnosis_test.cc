// Checks which scenario a capture's connection looks like, for each kind of evidence, and the text
// that gives it.
#include "reports/explain/diagnosis.hh"

#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

TEST_CASE("an open connection without failures looks like no scenario") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 22}).say(1, ".", {1, 23});
  CHECK(talk.looks_like().empty());
  CHECK(SeenTalk().say(0, "S", {}).looks_like().empty());  // one SYN: the capture has just begun
}

TEST_CASE("retransmitted SYNs look like a lost SYN, a black hole or a full backlog") {
  SeenTalk lost;
  lost.say(0, "S", {}).wait(1000).shake_hands();
  CHECK(lost.looks_like() == "syn-lost");
  CHECK(lost.because("syn-lost") ==
        "the client sent its SYN twice, the last 1.0 s after the first; that one was answered");
  lost.facts.around.listener_answers_others = true;
  CHECK(lost.looks_like() == "backlog-full-for-a-moment syn-lost");

  SeenTalk hole;
  hole.say(0, "S", {}).wait(1000).say(0, "S", {}).wait(2000).say(0, "S", {});
  CHECK(hole.looks_like() == "black-hole firewall-drops-connect");
  CHECK(hole.because("black-hole") ==
        "the client sent its SYN 3 times in 3.0 s, without an answer");
  hole.facts.around.listener_answers_others = true;
  CHECK(hole.looks_like() == "backlog-full abort-on-overflow-at-syn");

  SeenTalk ecn;
  ecn.say(0, "SEW", {}).wait(1000).shake_hands();
  CHECK(ecn.looks_like() == "ecn-black-hole");
}

TEST_CASE("retransmitted SYN-ACKs look like a lost SYN-ACK or ACK, or a client that is gone") {
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

TEST_CASE("a refused connection looks like what refused it: the host, a firewall or a router") {
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

TEST_CASE("keepalive probes look like the scenario that their answers show") {
  SeenTalk talk;
  talk.shake_hands().wait(2000).say(0, ".", {0, 1});
  SECTION("a RST answers: a power cycle") {
    talk.say(1, "R", {1});
    CHECK(talk.looks_like() == "keepalive-finds-power-cycle");
  }
  SECTION("no answer: a power-off") {
    talk.wait(1000).say(0, ".", {0, 1}).wait(1000).say(0, "R.", {1, 1});
    CHECK(talk.looks_like() == "keepalive-finds-power-off");
    CHECK(talk.because("keepalive-finds-power-off") ==
          "the client sent 2 keepalive probes, had no answer, and reset the connection");
  }
  SECTION("an ACK answers: the connection is alive") {
    talk.say(1, ".", {1, 1}).wait(1000).say(0, ".", {0, 1}).say(1, ".", {1, 1});
    CHECK(talk.looks_like() == "nat-kept-open-by-keepalive frozen-application");
    talk.say(0, ".", {1, 1, 100}).say(1, ".", {1, 101, 0, 0});
    CHECK(talk.looks_like() == "frozen-application");
  }
  SECTION("a RST answers in CLOSE_WAIT") {
    SeenTalk stale;
    stale.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(2000).say(0, ".", {0, 2});
    stale.say(1, "R", {2});
    CHECK(stale.looks_like() == "keepalive-in-close-wait");
  }
}

TEST_CASE("a RST in answer to a segment looks like a power cycle, a firewall or a closed socket") {
  SeenTalk data;
  data.shake_hands().wait(1200).say(0, ".", {1, 1, 22}).say(1, "R", {1});
  CHECK(data.looks_like() == "power-cycle firewall-forgets-and-resets");
  SECTION("sent by a firewall, because the other end continues") {
    data.say(1, ".", {1, 1, 6});
    CHECK(data.looks_like() == "firewall-forgets-and-resets");
  }
  SECTION("sent by a firewall, because the hop limit differs") {
    SeenTalk other;
    other.shake_hands().say(0, ".", {1, 1, 22}).say(1, "R", {1, 0, 0, 0, 0, 61});
    CHECK(other.because("firewall-forgets-and-resets") ==
          "the RST has a hop limit of 61, and the other segments of the server had 64: another "
          "host probably sent it");
  }
  SeenTalk third;
  third.shake_hands().say(1, "R", {1});
  CHECK(third.looks_like() == "abort-on-overflow");
  SeenTalk late;
  late.say(0, "S", {}).say(1, "S.", {0, 1}).wait(600).say(0, ".", {1, 1}).say(1, "R", {1});
  CHECK(late.looks_like() == "abort-on-overflow power-cycle-in-handshake");
  SeenTalk writer;
  writer.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).wait(1000);
  writer.say(0, ".", {1, 2, 22}).say(1, "R", {2});
  CHECK(writer.looks_like() == "write-to-orphan broken-without-failure");
}

TEST_CASE("a RST without cause looks like an abort") {
  SeenTalk bare;
  bare.shake_hands().say(0, "R.", {1, 1});
  CHECK(bare.looks_like() == "linger-zero socket-destroyed");
  SeenTalk unread;
  unread.shake_hands().say(0, ".", {1, 1, 16}).say(1, ".", {1, 17}).say(1, "R.", {1, 17});
  CHECK(unread.looks_like() == "close-with-unread-data linger-zero");
  CHECK(unread.because("close-with-unread-data") ==
        "the server received 16 octets, and then sent a RST instead of a FIN");
  SeenTalk sent;
  sent.shake_hands().say(1, ".", {1, 1, 14}).say(0, ".", {1, 15}).say(1, "R.", {15, 1});
  CHECK(sent.looks_like() == "data-then-reset");
  SeenTalk half;
  half.shake_hands().say(0, "F.", {1, 1}).say(1, ".", {1, 2}).say(1, "R.", {1, 2});
  CHECK(half.looks_like() == "abort-in-close-wait");
}

TEST_CASE("a close looks like the way in which the FINs were sent") {
  SeenTalk talk;
  talk.shake_hands().say(0, "F.", {1, 1});
  SECTION("in order") {
    talk.say(1, ".", {1, 2});
    CHECK(talk.looks_like() == "broken-without-failure");  // so far
    talk.say(1, "F.", {1, 2}).say(0, ".", {2, 2});
    CHECK(talk.looks_like().empty());
    talk.wait(200).say(1, "F.", {1, 2}).say(0, ".", {2, 2});
    CHECK(talk.looks_like() == "last-ack-lost");
  }
  SECTION("with a lost FIN") {
    talk.wait(210).say(0, "F.", {1, 1}).say(1, ".", {1, 2});
    CHECK(talk.looks_like() == "fin-lost");
  }
  SECTION("both ends at once") {
    talk.say(1, "F.", {1, 1}).say(0, ".", {2, 2}).say(1, ".", {2, 2});
    CHECK(talk.looks_like() == "simultaneous-close");
  }
  SECTION("only one direction") {
    talk.say(1, ".", {1, 2}).wait(500).say(1, ".", {1, 2, 14}).say(0, ".", {2, 15});
    CHECK(talk.looks_like() == "shutdown-then-write");
  }
}

TEST_CASE("a segment after both ends have closed looks like an old duplicate") {
  SeenTalk talk;
  talk.shake_hands().say(1, ".", {1, 1, 14}).say(0, ".", {1, 15}).say(0, "F.", {1, 15});
  talk.say(1, "F.", {15, 2}).say(0, ".", {2, 16});
  CHECK(talk.looks_like().empty());
  talk.say(1, ".", {1, 2, 14}).say(0, ".", {2, 16});
  CHECK(talk.looks_like() == "old-duplicate-into-time-wait");
  talk.say(1, "R", {16});
  CHECK(talk.looks_like() == "time-wait-assassination time-wait-assassination-prevented");
}

TEST_CASE("two SYNs that cross look like a simultaneous open") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(1, "S", {}).say(0, "S.", {0, 1}).say(1, "S.", {0, 1});
  CHECK(talk.looks_like() == "simultaneous-open");
}

TEST_CASE("a segment out of place that is answered with an ACK looks like a challenge") {
  SeenTalk reset;
  reset.shake_hands().say(1, "R.", {101, 1}).say(0, ".", {1, 1});
  CHECK(reset.looks_like() == "rst-in-window");
  SeenTalk syn;
  syn.shake_hands().say(0, "S", {700}).say(1, ".", {1, 1});
  CHECK(syn.looks_like() == "syn-into-established");
  syn.say(0, "R", {1});
  CHECK(syn.looks_like() == "half-open-discovery");
}

TEST_CASE("a segment that its sender ignores afterwards looks forged") {
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

TEST_CASE("urgent data and delayed acknowledgments are recognized") {
  SeenTalk urgent;
  urgent.shake_hands().say(0, "U.", {1, 1, 4}).say(1, ".", {1, 5});
  CHECK(urgent.looks_like() == "urgent-pointer urgent-inline");
  SeenTalk nagle;
  nagle.shake_hands().say(0, ".", {1, 1, 2}).wait(41).say(1, ".", {1, 3}).say(0, ".", {3, 1, 2});
  CHECK(nagle.looks_like() == "nagle-and-delayed-ack");
}

TEST_CASE("two scenarios that leave the same frames are both named") {
  SeenTalk accepted;  // by the kernel, for a listener that was closed before accept(2)
  accepted.shake_hands().say(1, "R.", {1, 1});
  CHECK(accepted.looks_like() == "linger-zero shutdown-listener");

  SeenTalk slow;
  slow.say(0, "S", {}).wait(1000).say(0, "S", {}).say(1, "S.", {0, 1});
  slow.say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(slow.looks_like() == "syn-ack-lost round-trip-longer-than-syn-timer");

  SeenTalk flooded;
  flooded.say(0, "S", {}).wait(1000).say(0, "S", {});
  flooded.facts.around.never_completed = 4;
  CHECK(flooded.looks_like() == "syn-flood backlog-full");

  SeenTalk ecn;
  ecn.say(0, "SEW", {}).wait(1000).say(0, "SEW", {});
  CHECK(ecn.looks_like() == "ecn-black-hole black-hole");

  SeenTalk challenged;
  challenged.shake_hands();
  for (const std::uint32_t number : {101U, 201U, 301U})
    challenged.say(1, "R.", {number, 1}).say(0, ".", {1, 1});
  CHECK(challenged.looks_like() == "rst-in-window challenge-ack-rate-limit");

  SeenTalk writer;
  writer.shake_hands().say(1, "F.", {1, 1}).say(0, ".", {1, 2}).say(0, ".", {1, 2, 22});
  CHECK(writer.say(1, "R", {2}).looks_like() == "write-to-orphan power-cycle-in-close-wait");
}

TEST_CASE("a RST with another hop limit looks forged") {
  SeenTalk talk;
  talk.shake_hands().say(1, "R.", {1, 1, 0, 0, 0, 61});
  CHECK(talk.looks_like() == "rst-exact");
}

TEST_CASE("packets on both sides of a router look like a routed connection") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(0, "S", {0, 0, 0, 500, 0, 63, true}).say(1, "S.", {0, 1});
  talk.say(0, ".", {1, 1});
  CHECK(talk.looks_like() == "through-a-router");
}

TEST_CASE("a SYN answered by an older connection looks like a half-open discovery") {
  SeenTalk talk;
  talk.say(0, "S", {}).say(1, ".", {901, 701}).say(0, "R", {701});
  CHECK(talk.looks_like() == "half-open-discovery");
}

TEST_CASE("an unreachable network in answer to a SYN looks like an ICMP error") {
  CHECK(SeenTalk().say(0, "S", {}).icmp(0, 3, 0, 0).looks_like() == "icmp-answers-a-syn");
}

TEST_CASE("a SYN,ACK that is answered again and again looks like a full accept queue") {
  SeenTalk queue;
  queue.shake_hands();
  queue.wait(1000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(queue.looks_like() == "last-ack-of-the-handshake-lost defer-accept");
  queue.wait(2000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(queue.looks_like() == "backlog-full-at-last-ack defer-accept");
  SECTION("data excludes TCP_DEFER_ACCEPT") {
    queue.say(0, ".", {1, 1, 6}).wait(4000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
    CHECK(queue.looks_like() == "backlog-full-at-last-ack last-ack-of-the-handshake-lost");
  }
  SECTION("the queue has room at last") {
    queue.say(1, ".", {1, 1}).wait(100);
    CHECK(queue.looks_like() == "last-ack-of-the-handshake-lost defer-accept");
  }
}

TEST_CASE("two SYN,ACKs with different initial numbers come from two hosts") {
  SeenTalk two;
  two.say(0, "S", {}).say(1, "S.", {0, 1}).say(1, "S.", {900, 1}).say(0, ".", {1, 1});
  CHECK(two.facts.end(1).rare->other_syn_acks == 1);
  CHECK(two.because("").ends_with("two hosts answer for 10.0.0.2"));
  SeenTalk one;
  one.say(0, "S", {}).say(1, "S.", {0, 1}).wait(1000).say(1, "S.", {0, 1}).say(0, ".", {1, 1});
  CHECK(one.looks_like() == "syn-ack-lost");
}

}  // namespace tcplab::reports::tests
