#!/usr/bin/env python3
"""Checks that tcplab explain names a cause only if the frames show it, and lists the others."""
import re
import sys
import unittest

sys.dont_write_bytecode = True
import schemas
from talks import ACK, FIN, MILLISECOND, PUSH, RST, SYN, Explained, Talk

SECOND = 1000 * MILLISECOND


class Evidence(Explained):
    @staticmethod
    def answered():
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 18).say(1, ACK, 0, 18)
        return talk.say(1, ACK | PUSH, 0, 18, 50).say(0, ACK, 18, 50)

    def test_a_rst_after_silence_is_no_power_cycle(self):
        talk = self.answered().say(1, RST, 50, 0, after=60 * SECOND)
        text = self.words(talk.frames)
        self.assertIn("reset by server after 60.0 s of silence", text)
        self.assertIn("its RST came 60.0 s after the last segment and answers none of the capture",
                      text)
        self.assertIn("an idle timeout of its program, or of a proxy, load balancer", text)
        self.assertNotRegex(text, "power cycled|power-cycle|no such connection")

    def test_a_rst_that_answers_a_segment_says_that_the_connection_is_gone(self):
        talk = self.answered().say(0, ACK | PUSH, 18, 50, 18, after=60 * SECOND).say(1, RST, 50, 0)
        text = self.words(talk.frames)
        self.assertIn("reset by server: no such connection", text)
        self.assertIn("Or power-cycle", text)

    def test_a_fin_that_nobody_acknowledged_is_not_answered_late(self):
        talk = self.answered().say(1, FIN | ACK, 50, 18)
        for number in range(3):
            talk.say(1, FIN | ACK, 50, 18, after=400 * MILLISECOND << number)
        text = self.words(talk.say(0, RST, 18, 0, after=SECOND).frames)
        self.assertIn("the server sent its FIN 4 times without an acknowledgment; then, 1.0 s "
                      "after the last one, a RST of the client came, too late to be an answer",
                      text)
        self.assertNotIn("TIME_WAIT", text)
        self.assertNotIn("time-wait", text)

    def test_an_overtaken_ack_is_not_called_forged_data(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 18)
        talk.identification += 1  # the ACK was sent before the data, and arrives after it
        ack_id = talk.identification
        talk.say(1, ACK | PUSH, 0, 18, 50).say(0, ACK, 18, 50)
        talk.identification = ack_id - 1
        talk.say(1, ACK, 0, 18)
        self.assertNotIn("data-injected", self.words(talk.frames))

    def test_two_versions_of_a_packet_have_several_causes(self):
        talk = self.answered().say(0, ACK | PUSH, 18, 50, 30)
        at, frame = talk.frames[-1]
        talk.frames.append((at, frame[:-3] + b"abc"))
        text = self.words(talk.frames)
        self.assertIn("two packets with the same numbers and identification, and different data",
                      text)
        self.assertIn("the file was edited or made by hand", text)
        self.assertNotIn("the path damaged it", text)

    def test_health_checks_are_counted(self):
        frames = []
        for number in range(4):
            talk = Talk(port=40000 + number, at=10**12 + 2 * number * SECOND)
            frames += talk.say(0, SYN, -1, 0).say(1, SYN | ACK, -1, 0).say(0, RST, 0, 0).frames
        text = self.words(frames)
        self.assertIn("reset by client before the handshake was complete", text)
        self.assertIn("4 connections to the server ended like that", text)
        self.assertIn("a load balancer's health check", text)
        self.assertNotIn("power", text)

    def test_syns_of_a_port_that_the_server_has_not_closed_are_trouble(self):
        talk = Talk().shake_hands().say(0, FIN | ACK, 0, 0).say(1, ACK, 0, 1)
        for number in range(4):
            talk.say(0, SYN, 70000, 0, after=(90 if number == 0 else 1 << number) * SECOND)
        text = self.words(talk.frames)
        self.assertIn("no answer to 4 new SYNs; server has not closed the last connection", text)
        self.assertIn("it is probably in CLOSE_WAIT", text)
        self.assertNotIn("1 without trouble", text)

    def test_a_port_used_again_meets_the_time_wait_until_it_ends(self):
        talk = Talk().shake_hands().say(1, FIN | ACK, 0, 0).say(0, FIN | ACK, 0, 1)
        talk.say(1, ACK, 1, 1)
        for number in range(3):
            talk.say(0, SYN, -500, 0, after=3 * SECOND).say(1, ACK, 1, 1).say(0, RST, 1, 0)
        text = self.words(talk.frames, "--connection", "4")
        self.assertIn("a port again whose last connection had just ended at the server", text)

    def test_a_clock_that_goes_back_shows_a_nat(self):
        frames = []
        for number in range(3):
            talk = Talk(port=40000 + number, at=10**12 + number * SECOND)
            stamp = 500_000 + 1000 * number
            talk.say(0, SYN, -1, 0, stamp=stamp).say(1, SYN | ACK, -1, 0, stamp=7)
            talk.say(0, ACK, 0, 0, stamp=stamp + 10).say(0, FIN | ACK, 0, 0, stamp=stamp + 20)
            talk.say(1, FIN | ACK, 0, 1, stamp=8).say(0, ACK, 1, 1, stamp=stamp + 40)
            frames += talk.frames
        behind = Talk(port=41000, at=10**12 + 4 * SECOND)
        ahead = Talk(port=41000, at=10**12 + 4 * SECOND)
        for number in range(3):
            behind.say(0, SYN, -1, 0, after=SECOND << number, stamp=90_000 + 1000 * number)
            ahead.say(0, SYN, -1, 0, after=SECOND << number, stamp=504_000 + 1000 * number)
        text = self.words(frames + behind.frames)
        self.assertIn("several hosts may share that address (NAT)", text)
        text = self.words(frames + ahead.frames)
        self.assertNotIn("NAT)", text)
        self.assertIn("Probably backlog-full", text)
        self.assertIn("a firewall or load balancer that drops these SYNs", text)

    @staticmethod
    def asks(count, *, size=0):
        frames = []
        for number in range(count):
            talk = Talk(port=41000, at=10**12 + number * MILLISECOND, server=100 + number)
            talk.say(0, SYN, -1, 0).say(1, SYN | ACK, -1, 0)
            if size > 0:
                talk.say(0, ACK, 0, 0).say(0, ACK | PUSH, 0, 0, size).say(1, ACK, 0, size)
            else:
                talk.say(0, RST, 0, 0)
            frames += talk.frames
        return frames

    def test_a_scan_is_one_line(self):
        lines = self.tell(self.asks(40)).splitlines()
        text = " ".join(" ".join(lines).split())
        self.assertIn("1 port scan", text)
        self.assertIn("port scan: 40 ports in 40 connections, 40 open, 0 refused, 0 without an "
                      "answer", text)
        self.assertIn("the client asked 40 ports of the server for a connection, and sent no data",
                      text)
        self.assertLess(len(lines), 40)
        self.assertIn("10.0.0.2:120", self.words(self.asks(40), "--connection", "21"))

    def test_a_scan_is_one_entry_in_json(self):
        other = Talk(port=42000, at=10**12 - SECOND, server=80).shake_hands()
        other.say(0, PUSH | ACK, 0, 0, 10)
        told = schemas.checked(self.tell(other.frames + self.asks(40), "--json"))["connections"]
        self.assertEqual(len(told), 2)
        scan, = (each["scan"] for each in told if "scan" in each)
        self.assertEqual(scan, {
            "connections": 40, "ports": "100-139", "hosts": ["10.0.0.2"],
            "open": 40, "refused": 0, "no_answer": 0,
            "open_at": [f"10.0.0.2:{port}" for port in range(100, 140)]})
        few = schemas.checked(self.tell(self.asks(10), "--json"))["connections"]
        self.assertEqual(len(few), 10)
        self.assertFalse(any("scan" in each for each in few))

    def test_the_index_of_pages_has_one_row_for_a_scan_and_links_each_row_to_its_page(self):
        lossy = Talk(port=42000, at=10**12 + SECOND, server=80).shake_hands()
        for _ in range(2):
            lossy.say(0, PUSH | ACK, 0, 0, 10)
        lossy.say(1, ACK, 0, 10)  # less bad than the scan: its row is the second
        self.tell(lossy.frames + self.asks(40), "--html", self.folder / "pages")
        index = (self.folder / "pages" / "index.html").read_text()
        rows = re.findall(r"<tr><td>.*?</tr>", index)
        self.assertEqual(len(rows), 2)
        self.assertIn("40 ports of 10.0.0.2", rows[0])
        self.assertNotIn("40 ports", rows[1])
        for row in rows:
            number = re.search(r'href="\./connection-(\d+)\.html">(\d+)</a>', row)
            self.assertEqual(number[1], number[2])

    def test_connections_with_data_or_to_few_ports_are_no_scan(self):
        for frames in (self.asks(40, size=10), self.asks(10)):
            self.assertNotIn("scan:", self.words(frames))


def arp_request(sender, target):
    """Returns an ARP request of 10.0.0.`sender` for 10.0.0.`target` (RFC 826)."""
    mac = bytes([2, 0, 0, 0, 0, sender])
    return (b"\xff" * 6 + mac + b"\x08\x06" + b"\0\x01\x08\0\x06\x04\0\x01" + mac
            + bytes([10, 0, 0, sender]) + bytes(6) + bytes([10, 0, 0, target]))


class Neighbours(Explained):
    def silent(self, *, asks_before=(), asks_after=()):
        """Returns the words about a server that stops answering. The hosts named ask for its
        address before its last segment, or after it."""
        talk = Talk().shake_hands()
        requests = [(talk.at + 1000, arp_request(host, 2)) for host in asks_before]
        talk.say(0, PUSH | ACK, 0, 0, 50).say(1, ACK, 0, 50).say(0, PUSH | ACK, 50, 0, 50)
        for _ in range(3):
            talk.say(0, PUSH | ACK, 50, 0, 50, after=400 * MILLISECOND)
            requests += [(talk.at + 1000, arp_request(host, 2)) for host in asks_after]
        return self.words(sorted(talk.frames + requests))

    def test_a_host_that_asks_in_vain_for_its_peer_has_lost_it(self):
        self.assertIn("power-off-same-lan", self.silent(asks_after=[1]))

    def test_requests_of_others_say_nothing_about_it(self):
        for words in (self.silent(asks_after=[9]), self.silent(asks_before=[1])):
            self.assertIn("Probably power-off: ", words)
            self.assertNotIn("ARP", words)


if __name__ == "__main__":
    unittest.main()
