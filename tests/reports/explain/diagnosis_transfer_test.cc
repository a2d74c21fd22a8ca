// Checks which scenario a transfer of data looks like: losses, silence, windows.
#include "reports/explain/diagnosis.hh"
#include "tests/catch.hh"
#include "tests/reports/explain/seen_talk.hh"

namespace tcplab::reports::tests {

TEST_CASE("data that arrives after retransmissions looks like a loss or a partition") {
  SeenTalk first;
  first.shake_hands().say(0, ".", {1, 1, 13}).wait(210).say(0, ".", {1, 1, 13});
  CHECK(first.looks_like().empty());  // the retransmission is not acknowledged yet
  first.say(1, ".", {1, 14});
  CHECK(first.looks_like() == "first-data-lost backlog-full-at-last-ack");
  CHECK(first.because("first-data-lost") ==
        "the client retransmitted its first data once, the last time after 210 ms, and it was "
        "acknowledged");

  SeenTalk recovered;
  recovered.shake_hands().say(0, ".", {1, 1, 13});
  for (const int pause : {200, 400, 800}) recovered.wait(pause).say(0, ".", {1, 1, 13});
  CHECK(recovered.looks_like() == "power-off");
  recovered.say(1, ".", {1, 14});
  CHECK(recovered.looks_like() == "short-partition");
}

TEST_CASE("a fast retransmission is not taken for a timeout") {
  SeenTalk fast;
  fast.shake_hands().say(0, ".", {1, 1, 100}).say(0, ".", {101, 1, 100});
  fast.say(1, ".", {1, 1, 0, 500, 101}).say(0, ".", {1, 1, 100}).say(1, ".", {1, 201});
  CHECK(fast.looks_like().empty());
  CHECK(fast.facts.end(0).fast_retransmits == 1);
}

TEST_CASE("a path that drops full-sized segments looks like a path MTU black hole") {
  SeenTalk hole;
  hole.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
  hole.say(0, ".", {7, 1, 1448}).say(0, ".", {1455, 1, 160}).say(1, ".", {1, 7, 0, 500, 1455});
  for (const int pause : {8, 208, 416}) hole.wait(pause).say(0, ".", {7, 1, 1448});
  CHECK(hole.looks_like() == "path-mtu-black-hole");
  CHECK(hole.because("path-mtu-black-hole").find("1448 octets 4 times") != std::string::npos);

  SECTION("smaller segments arrive: path MTU probing") {
    hole.wait(800).say(0, ".", {7, 1, 1024}).say(1, ".", {1, 1031});
    CHECK(hole.looks_like() == "path-mtu-probing mtu-probing-delay");
  }
  SECTION("no segment is answered: it may also be a dead host") {
    SeenTalk doubtful;
    doubtful.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
    for (int i = 0; i < 4; ++i) doubtful.wait(300).say(0, ".", {7, 1, 1448});
    CHECK(doubtful.looks_like() == "path-mtu-black-hole power-off");
  }
  SECTION("a router reports the MTU: path MTU discovery") {
    hole.icmp(0, 3, 4, 7, 1300);
    CHECK(hole.looks_like() == "path-mtu-discovery");
    CHECK(hole.because("path-mtu-discovery") ==
          "10.0.0.254 reported to the client by ICMP that at most 1300 octets pass");
  }
}

TEST_CASE("unanswered large segments after an acknowledged large one look like a power-off") {
  SeenTalk gone;
  gone.shake_hands().say(0, ".", {1, 1, 1448}).say(1, ".", {1, 1449});
  for (int i = 0; i < 4; ++i) gone.wait(300).say(0, ".", {1449, 1, 1448});
  CHECK(gone.looks_like() == "power-off");
}

TEST_CASE("unanswered data looks like a power-off, or like what other frames show") {
  SeenTalk off;
  off.shake_hands().say(0, ".", {1, 1, 22});
  SECTION("without other frames") {
    for (const int pause : {200, 400, 800}) off.wait(pause).say(0, ".", {1, 1, 22});
    CHECK(off.looks_like() == "power-off");
    CHECK(off.because("power-off") ==
          "the client retransmitted its data 3 times without an answer");
  }
  SECTION("each wait is equally long") {
    for (int i = 0; i < 6; ++i) off.wait(208).say(0, ".", {1, 1, 22});
    CHECK(off.looks_like() == "thin-linear-timeouts power-off");
  }
  SECTION("the sender asks for its neighbour's address") {
    off.wait(200).say(0, ".", {1, 1, 22});
    off.facts.around.sought = {0, 2};
    CHECK(off.looks_like() == "power-off-same-lan");
  }
  SECTION("a router stops forwarding it") {
    SeenTalk routed;
    routed.shake_hands().say(0, ".", {1, 1, 22}).say(0, ".", {1, 1, 22, 500, 0, 63, true});
    routed.say(1, ".", {1, 23}).say(0, ".", {23, 1, 22});
    for (const int pause : {200, 400, 800}) routed.wait(pause).say(0, ".", {23, 1, 22});
    CHECK(routed.looks_like() == "firewall-forgets-and-drops");
  }
}

TEST_CASE("data retransmitted after it was acknowledged shows a broken return path") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  for (const int pause : {200, 400}) talk.wait(pause).say(0, ".", {1, 1, 17}).say(1, ".", {1, 18});
  CHECK(talk.looks_like() == "return-path-broken");

  SECTION("but not if most of what is retransmitted was lost") {
    for (unsigned seq = 18; seq < 18 + 8 * 10; seq += 20) {  // every second segment is lost
      talk.say(0, ".", {seq + 10, 1, 10}).say(1, ".", {1, seq});
      talk.wait(5).say(0, ".", {seq, 1, 10}).say(1, ".", {1, seq + 20});
    }
    CHECK(talk.looks_like() != "return-path-broken");
    CHECK(talk.because("").starts_with("the path loses segments: the client sent 6 segments"));
  }
}

TEST_CASE("copies are not counted as retransmissions") {
  SeenTalk copied;
  copied.shake_hands().say(0, ".", {1, 1, 5}).say(0, ".", {1, 1, 5, 500, 0, 64, true});
  copied.say(1, ".", {1, 6});
  CHECK(copied.looks_like() == "data-duplicated");

  SeenTalk early;
  early.shake_hands().say(0, ".", {1, 1, 50}).wait(210).say(0, ".", {1, 1, 50});
  early.wait(100).say(1, ".", {1, 201, 0, 500, 0});
  early.say(0, ".", {51, 1, 150}).say(1, ".", {1, 201, 0, 500, 1});
  CHECK(early.facts.end(0).spurious_retransmits == 1);  // D-SACK
}

TEST_CASE("segments that arrive out of order look like reordered data") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(0, ".", {101, 1, 100});
  talk.say(1, ".", {1, 1, 0, 500, 101}).say(1, ".", {1, 201});
  CHECK(talk.looks_like() == "data-reordered");
}

TEST_CASE("a zero window looks like zero-window, or like what the next frames show") {
  SeenTalk talk;
  talk.shake_hands().say(0, ".", {1, 1, 100}).say(1, ".", {1, 101, 0, 0});
  CHECK(talk.looks_like() == "zero-window");
  talk.wait(200).say(0, ".", {100, 1}).say(1, ".", {1, 101, 0, 0});
  CHECK(talk.because("zero-window") ==
        "the server announced a window of zero, and was probed once");
  SECTION("the update that opens the window is lost") {
    talk.say(1, ".", {1, 101, 0, 500}).wait(400).say(0, ".", {100, 1});
    CHECK(talk.looks_like() == "window-update-lost");
  }
  SECTION("the other kernel stops answering") {
    talk.wait(400).say(0, ".", {100, 1}).wait(800).say(0, ".", {100, 1});
    CHECK(talk.looks_like() == "power-off zero-window");
    CHECK(talk.because("power-off") ==
          "the server's window was zero, and the last 2 probes had no answer: a living kernel "
          "answers them, even if its program hangs");
  }
  SECTION("both ends have a zero window") {
    talk.say(0, ".", {101, 1, 0, 0});
    CHECK(talk.looks_like() == "both-write-nobody-reads");
  }
  SECTION("the window opens after the other program is gone") {
    talk.wait(900).say(1, ".", {1, 101, 0, 500}).say(0, "R", {101});
    CHECK(talk.looks_like() == "orphan-zero-window zero-window");
  }
}

TEST_CASE("a capture that begins with probes knows them by their answer") {
  SeenTalk full;
  SECTION("the probe is first") {
    full.say(0, ".", {9, 1}).say(1, ".", {1, 10, 0, 0}).wait(3000).say(0, ".", {9, 1});
    full.say(1, ".", {1, 10, 0, 0});
    CHECK(full.facts.end(0).rare->window_probes == 2);
  }
  SECTION("the answer is first") {
    full.say(1, ".", {1, 10, 0, 0}).wait(3000).say(0, ".", {9, 1}).say(1, ".", {1, 10, 0, 0});
    CHECK(full.facts.end(0).rare->window_probes == 1);
  }
  CHECK(full.looks_like() == "zero-window");

  SeenTalk alive;
  for (int i = 0; i < 3; ++i) alive.say(0, ".", {9, 1}).say(1, ".", {1, 10}).wait(1000);
  CHECK(alive.looks_like() == "nat-kept-open-by-keepalive frozen-application");
  CHECK(alive.facts.end(0).rare->keepalives_answered == 3);
}

TEST_CASE("a capture that begins with unanswered probes knows them by their repetition") {
  SeenTalk gone;
  gone.say(0, ".", {9, 1}).wait(1000).say(0, ".", {9, 1}).wait(1000);
  CHECK(gone.looks_like() == "keepalive-finds-power-off");
  gone.say(0, "R.", {10, 1});
  CHECK(gone.looks_like() == "keepalive-finds-power-off");
  CHECK(gone.because("keepalive-finds-power-off") ==
        "the client sent 2 keepalive probes, had no answer, and reset the connection");

  SeenTalk once;
  once.say(0, ".", {9, 1}).wait(1000).say(0, "R.", {10, 1});
  CHECK(once.looks_like() == "keepalive-with-user-timeout keepalive-finds-power-off");

  SeenTalk answers;  // the same ACK, to data that arrives
  answers.say(0, ".", {9, 1}).wait(1000).say(1, ".", {1, 9, 10}).say(0, ".", {9, 1});
  CHECK(answers.looks_like().empty());
}

TEST_CASE("unnecessary retransmissions do not hide that the path loses segments") {
  SeenTalk talk;
  talk.shake_hands();
  for (const std::uint32_t first : {1, 101, 201, 301}) {  // late, and answered with a D-SACK
    talk.say(0, ".", {first, 1, 100}).wait(210).say(0, ".", {first, 1, 100});
    talk.say(1, ".", {1, first + 100}).say(1, ".", {1, first + 100, 0, 500, first});
  }
  CHECK(talk.looks_like() == "spurious-retransmission");
  for (const std::uint32_t first : {401, 601, 801}) {  // lost, and repaired after a SACK
    talk.say(0, ".", {first, 1, 100}).say(0, ".", {first + 100, 1, 100});
    talk.say(1, ".", {1, first, 0, 500, first + 100}).say(0, ".", {first, 1, 100});
    talk.say(1, ".", {1, first + 200});
  }
  CHECK(talk.facts.end(0).spurious_retransmits == 4);
  CHECK(talk.looks_like().empty());
  CHECK(talk.because("").starts_with("the path loses segments: the client sent 7 segments again"));
  CHECK(talk.because("").ends_with("; the server had 4 of them already (D-SACK)"));
}

TEST_CASE("a window that closed does not hide that the path loses segments") {
  SeenTalk talk;
  talk.shake_hands();
  for (const std::uint32_t first : {1, 201, 401}) {
    talk.say(0, ".", {first, 1, 100}).say(0, ".", {first + 100, 1, 100});
    talk.say(1, ".", {1, first, 0, 500, first + 100}).say(0, ".", {first, 1, 100});
    talk.say(1, ".", {1, first + 200});
  }
  CHECK(talk.because("").find("the path loses segments: the client sent 3") == 0);
  talk.say(1, ".", {1, 601, 0, 0}).say(1, ".", {1, 601, 0, 500});
  CHECK(talk.looks_like().starts_with("zero-window"));
  CHECK(talk.because("").find("the path loses segments: the client sent 3") == 0);
}

TEST_CASE("at the receiver, a large hole before a small segment looks like an MTU black hole") {
  SeenTalk hole;
  hole.shake_hands().say(0, ".", {1, 1, 6}).say(1, ".", {1, 7});
  hole.say(0, ".", {1455, 1, 160}).say(1, ".", {1, 7, 0, 500, 1455});
  CHECK(hole.looks_like() == "path-mtu-black-hole");
  CHECK(hole.because("path-mtu-black-hole").starts_with("1448 octets of the client never arrived"));
  hole.say(1, ".", {1, 1615});  // the capture lacks a frame, and nothing was lost
  CHECK(hole.looks_like().empty());
}

}  // namespace tcplab::reports::tests
