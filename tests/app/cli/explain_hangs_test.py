#!/usr/bin/env python3
"""Checks what tcplab explain says about clients that wait, time out, or find a connection gone."""
import sys
import unittest

sys.dont_write_bytecode = True
import schemas
from talks import ACK, FIN, MILLISECOND, PUSH, RST, SYN, Explained, Talk

SECOND = 1000 * MILLISECOND


class Hangs(Explained):
    @staticmethod
    def later(seconds):
        """Another connection, so that the capture goes on for so long."""
        return Talk(port=40001, at=10**12 + seconds * SECOND).shake_hands().close().frames

    @staticmethod
    def asks():
        """A request that the server's kernel acknowledges."""
        return Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 18).say(1, ACK, 0, 18)

    @staticmethod
    def answered():
        return Hangs.asks().say(1, ACK | PUSH, 0, 18, 50).say(0, ACK, 18, 50)

    def test_a_client_that_closes_without_an_answer_is_trouble(self):
        talk = self.asks().say(0, FIN | ACK, 18, 0, after=30 * SECOND)
        text = self.words(talk.say(1, FIN | ACK, 0, 19).say(0, ACK, 19, 1).frames)
        self.assertIn("1 closed without a reply", text)
        self.assertIn("closed by client after 30.0 s without a reply", text)
        self.assertIn("The client's last 18 octets were acknowledged after 10 ms; the server sent "
                      "no data in the 30.0 s until the client closed.", text)
        self.assertRegex(text, "Probably never-accept: the server's kernel acknowledged the "
                         "client's last data, and no reply came in 30.0 s")
        self.assertNotIn("nothing is wrong", text)

    def test_a_reply_that_was_lost_is_not_called_absent(self):
        talk = self.asks().say(0, FIN | ACK, 18, 0, after=8 * SECOND).say(1, ACK, 2900, 19)
        text = self.words(talk.frames)
        self.assertIn("closed by client after 8.0 s without a reply", text)
        self.assertIn("no data of the server arrived in the 8.0 s until the client closed", text)
        self.assertIn("path-mtu-black-hole", text)
        self.assertNotIn("never-accept", text)

    def test_a_rst_of_another_host_is_not_called_the_servers(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 16).say(1, RST, 0, 0)
        text = self.words(talk.say(1, ACK | PUSH, 0, 16, 1200).frames)
        self.assertIn("reset in the name of server", text)

    def test_an_answer_or_a_prompt_close_is_no_trouble(self):
        talk = self.answered().say(0, FIN | ACK, 18, 50, after=30 * SECOND)
        self.assertIn("nothing is wrong", self.words(
            talk.say(1, FIN | ACK, 50, 19).say(0, ACK, 19, 51).frames))
        talk = self.asks().say(0, FIN | ACK, 18, 0, after=200 * MILLISECOND)
        self.assertIn("nothing is wrong", self.words(
            talk.say(1, FIN | ACK, 0, 19).say(0, ACK, 19, 1).frames))

    def test_a_server_that_closes_without_an_answer_is_named(self):
        talk = self.asks().say(1, FIN | ACK, 0, 18, after=60 * SECOND).say(0, ACK, 18, 1)
        text = self.words(talk.frames + self.later(300))
        self.assertIn("closed by server after 60.0 s without a reply; client has not closed", text)
        self.assertIn("Probably the server closed 60.0 s after the client's last data", text)

    def test_a_server_that_closes_at_once_without_an_answer_is_trouble(self):
        talk = self.asks().say(1, FIN | ACK, 0, 18).say(0, FIN | ACK, 18, 1).say(1, ACK, 1, 19)
        text = self.words(talk.frames)
        self.assertIn("closed by server after 20 ms without a reply", text)
        self.assertNotIn("nothing is wrong", text)

    def test_a_server_that_is_silent_elsewhere_has_no_full_backlog(self):
        first = self.answered()
        for number in range(3):
            first.say(0, ACK | PUSH, 18, 50, 18, after=300 * MILLISECOND << number)
        second = Talk(port=40001, at=first.at)
        for number in range(3):
            second.say(0, SYN, -1, 0, after=SECOND << number)
        text = self.words(first.frames + second.frames, "--connection", "2")
        self.assertIn("Probably power-off: the client sent its SYN 3 times in 6.0 s, without an "
                      "answer; the server is silent in another connection, too", text)
        self.assertNotIn("backlog", text)

    def test_giving_up_on_data_has_a_cause(self):
        talk = self.answered()
        for number in range(4):
            talk.say(0, ACK | PUSH, 18, 50, 18, after=300 * MILLISECOND << number)
        text = self.words(talk.say(0, RST | ACK, 36, 50, after=SECOND).frames)
        self.assertIn("client had no answer and gave up", text)
        self.assertIn("Probably power-off: the client retransmitted its data 3 times without an "
                      "answer, and reset the connection", text)

    def test_a_timeout_that_ends_in_a_rst_is_told_once(self):
        text = self.words(self.asks().say(0, RST | ACK, 18, 0, after=30 * SECOND).frames)
        self.assertIn("reset by client after 30.0 s without a reply", text)
        self.assertIn("linger-zero: the client waited 30.0 s for a reply; then its program closed "
                      "with SO_LINGER and zero seconds", text)
        self.assertIn("it had received no data that it could leave unread", text)
        self.assertNotIn("with unread data", text)
        text = self.words(self.answered().say(0, RST | ACK, 18, 50, after=30 * SECOND).frames)
        self.assertIn("probably it closed with unread data", text)

    def test_a_rst_just_after_the_handshake_is_no_power_cycle(self):
        first = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 503).say(1, RST, 0, 0)
        asked = self.asks().say(0, ACK | PUSH, 18, 0, 18).say(1, RST, 0, 0)
        for talk in (first, asked, Talk().shake_hands().say(1, RST, 0, 0)):
            text = self.words(talk.frames)
            self.assertNotRegex(text, r"was probably power cycled|power-cycle\S*:")
            self.assertIn("a device on the path sent the RST in its name", text)
        text = self.words(first.frames)
        self.assertIn("Probably firewall-forgets-and-resets: the server answered the first data "
                      "with a RST, 30 ms after it had sent another segment: that is too soon for a "
                      "power cycle", text)
        self.assertIn("a TLS server name", text)
        self.assertIn("Or abort-on-overflow", text)
        self.assertNotIn("abort-on-overflow", self.words(asked.frames))
        late = self.answered().say(0, ACK | PUSH, 18, 50, 18, after=5 * SECOND).say(1, RST, 50, 0)
        self.assertIn("Probably power-cycle:", self.words(late.frames))

    def test_the_idle_time_before_a_rst_is_measured(self):
        talk = self.answered().say(0, ACK | PUSH, 18, 50, 18, after=351 * SECOND)
        text = self.words(talk.say(1, RST, 50, 0).frames)
        self.assertIn("Probably firewall-forgets-and-resets: the connection had been idle for "
                      "351.0 s (idle timeouts by default: Azure Load Balancer, 240 s; AWS NAT "
                      "gateway and Network Load Balancer, 350 s); then the server answered a "
                      "segment with a RST", text)
        self.assertIn("Or power-cycle:", text)
        talk = self.answered().say(0, ACK | PUSH, 18, 50, 18, after=30 * SECOND)
        self.assertNotIn("idle", self.words(talk.say(1, RST, 50, 0).frames).split("Same")[0])

    def test_the_idle_time_before_a_silence_is_measured(self):
        talk = self.answered().say(0, ACK | PUSH, 18, 50, 18, after=3600 * SECOND)
        for number in range(5):
            talk.say(0, ACK | PUSH, 18, 50, 18, after=200 * MILLISECOND << number)
        text = self.words(talk.frames)
        self.assertIn("Or nat-entry-expired-inside-writes: the connection had been idle for 3600.0 "
                      "s", text)
        self.assertIn("many firewalls, 3600 s", text)
        text = self.words(talk.say(1, ACK, 50, 36).frames)
        self.assertNotIn("nat-entry-expired", text)

    def test_retransmissions_are_no_idle_time(self):
        talk = self.answered()
        for number in range(10):
            talk.say(0, ACK | PUSH, 18, 50, 18, after=200 * MILLISECOND << number)
        self.assertNotIn("nat-entry-expired", self.words(talk.frames))

    def test_the_idle_time_before_keepalive_probes_is_measured(self):
        talk = self.answered().say(0, ACK, 17, 50, after=7200 * SECOND)
        for _ in range(8):
            talk.say(0, ACK, 17, 50, after=75 * SECOND)
        text = self.words(talk.frames)
        self.assertIn("keepalive-finds-power-off", text)
        self.assertIn("had been idle for 7200.0 s", text)

    def test_a_rst_that_ends_an_idle_time_names_the_idle_timeout(self):
        text = self.words(self.asks().say(1, RST | ACK, 0, 18, after=60 * SECOND).frames)
        self.assertIn("reset by server after 60.0 s without a reply", text)
        self.assertIn("the server received 18 octets, and then, 60.0 s later, sent a RST", text)
        self.assertIn("an idle timeout of the server's program, or of a proxy", text)

    def test_probes_of_the_server_show_that_the_clients_kernel_lives(self):
        talk = self.asks()
        for _ in range(5):
            talk.say(1, ACK, -1, 18, after=60 * SECOND).say(0, ACK, 18, 0)
        text = self.words(talk.frames)
        self.assertIn("Probably frozen-application: the server's kernel acknowledged the client's "
                      "last data, and no reply came in 300.1 s; that kernel is alive: it sent 5 "
                      "keepalive probes", text)
        self.assertNotIn("the other kernel", text)
        talk = self.answered()
        for _ in range(3):
            talk.say(1, ACK, 49, 18, after=60 * SECOND).say(0, ACK, 18, 50)
        self.assertIn("nat-kept-open-by-keepalive: the server sent 3 keepalive probes, and the "
                      "client's kernel answered each: it is alive", self.words(talk.frames))

    def test_a_dead_client_is_not_said_to_wait(self):
        talk = self.asks()
        for _ in range(4):
            talk.say(1, ACK, -1, 18, after=75 * SECOND)
        text = self.words(talk.frames)
        self.assertIn("client is silent: 4 probes unanswered", text)
        self.assertNotIn("until the capture ends", text)

    def test_ports_used_again_after_an_hour_are_not_in_time_wait(self):
        again = Talk(at=10**12 + 3600 * SECOND).shake_hands()
        self.assertNotIn("time-wait", self.words(Talk().shake_hands().close().frames +
                                                 again.frames, "--most", "2"))
        again = Talk(at=10**12 + 30 * SECOND).shake_hands()
        self.assertIn("syn-reopens-time-wait", self.words(
            Talk().shake_hands().close().frames + again.frames, "--most", "2"))

    def test_a_stream_in_one_direction_does_not_wait(self):
        talk = Talk().shake_hands()
        for number in range(4):
            talk.say(0, ACK | PUSH, 13 * number, 0, 13, after=10 * SECOND)
            talk.say(1, ACK, 0, 13 * number + 13)
        text = self.words(talk.frames + self.later(60), "--connection", "1")
        self.assertIn("open; server never sends data", text)
        self.assertIn("The server has never sent data.", text)
        self.assertNotIn("no reply", text)
        self.assertIn("2 without trouble", self.words(talk.frames + self.later(60)))
        talk.say(0, FIN | ACK, 52, 0, after=30 * SECOND).say(1, FIN | ACK, 0, 53)
        self.assertNotIn("without a reply", self.words(talk.say(0, ACK, 53, 1).frames))

    def test_a_rst_without_effect_is_explained(self):
        for number, words in ((5, "5 octets above"), (-7, "7 octets below")):
            text = self.words(Talk().shake_hands().say(1, RST, number, 0).frames)
            self.assertIn("1 RST without effect", text)
            self.assertIn(f"rst-outside-window: a RST of the server has a sequence number {words} "
                          "the one that the client expects next", text)
            self.assertIn("it no longer has the connection", text)

    def test_fins_without_an_answer_have_a_cause(self):
        def unheard(talk, seq, ack):
            for number in range(6):
                talk.say(0, FIN | ACK, seq, ack, after=200 * MILLISECOND << number)
            return self.words(talk.frames)
        text = unheard(self.answered(), 18, 50)
        self.assertIn("Probably orphan-fin-wait1: the client retransmitted its FIN 5 times without "
                      "an answer", text)
        self.assertIn("a firewall that drops silently", text)
        text = unheard(self.answered().say(1, FIN | ACK, 50, 18), 18, 51)
        self.assertIn("last-ack-lost: the client retransmitted its FIN 5 times without an answer; "
                      "the server had sent its own FIN before", text)

    def test_a_peer_that_did_not_answer_is_not_drawn_as_closed(self):
        talk = self.answered()
        for _ in range(3):
            talk.say(0, ACK, 17, 50, after=75 * SECOND)
        text = self.tell(talk.say(0, RST | ACK, 18, 50, after=75 * SECOND).frames)
        self.assertRegex(text, r"\n.* CLOSED │─+ RST [^│\n]*▶│ *\n")
        self.assertEqual(text.count("CLOSED"), 1)
        self.assertIn("the server did not answer: whether it still has the connection is not known",
                      text)

    def test_a_server_with_a_full_accept_queue_is_not_drawn_as_established(self):
        talk = Talk().shake_hands()
        for number in range(3):
            talk.say(1, SYN | ACK, -1, 0, after=SECOND << number).say(0, ACK, 0, 0)
        ladder = self.tell(talk.frames).split("seconds")[1]
        self.assertRegex(ladder, r"│ SYN_RECV")
        self.assertNotRegex(ladder, r"│ .*ESTABLISHED")
        self.assertEqual(ladder.count("SYN_RECV"), 1)

    def test_the_ladder_and_the_page_go_on_to_the_end_of_the_capture(self):
        words = "the capture ends, 300.0 s after the last frame of this connection"
        frames = self.asks().frames + self.later(300)
        frames = frames[:6]
        text = self.tell(frames, "--connection", "1")
        self.assertRegex(text, r"nothing happens[^\n]*\n[^\n]*" + words)
        done = self.run_it(self.folder / "yours.pcap", "--html", self.folder / "pages")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "pages" / "connection-1.html").read_text()
        self.assertIn(words, page)
        closed = Talk().shake_hands().close().frames + self.later(300)
        self.assertNotIn("the capture ends,", self.tell(closed, "--connection", "1"))

    def test_no_sequence_number_is_negative(self):
        text = self.tell(Talk().shake_hands().say(1, RST, -700, 0).say(1, ACK, 0, -9).frames)
        self.assertIn("RST seq below the first", text)
        self.assertIn("ACK 8 below the first", text)
        self.assertNotRegex(text, r"(seq|ACK|ack) -\d")

    def test_many_diagnoses_do_not_load_the_scripts_of_the_catalogue(self):
        endless = self.folder / "black-hole.lua"
        endless.write_text("while true do end\n")
        frames = []
        for number in range(200):
            talk = Talk(port=40000 + number, at=10**12 + number * SECOND)
            frames += talk.say(0, SYN, -1, 0).say(0, SYN, -1, 0, after=SECOND).frames
        self.environment = {"TCPLAB_SCENARIOS": str(self.folder)}
        connections = schemas.checked(self.tell(frames, "--json"))["connections"]
        self.assertEqual([[each["scenario"] for each in connection["probably"]]
                          for connection in connections], [["black-hole"]] * 200)

    def test_a_syn_alone_is_no_idle_time(self):
        talk = Talk().say(0, SYN, -1, 0).say(0, SYN, -1, 0, after=100 * SECOND)
        self.assertNotIn("had been idle", self.words(talk.frames))


if __name__ == "__main__":
    unittest.main()
