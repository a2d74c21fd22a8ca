#!/usr/bin/env python3
"""Checks tcplab explain on imperfect captures: truncated, duplicated, merged, or read from a
pipe."""
import os
import re
import struct
import sys
import threading
import unittest

sys.dont_write_bytecode = True
from talks import ACK, FIN, MILLISECOND, PUSH, RST, SYN, Explained, Talk, pcap
from wraps import captured, interface, section


class ImperfectCaptures(Explained):
    def test_data_beyond_the_snap_length_counts(self):
        talk = Talk().shake_hands()
        for number in range(3):
            talk.say(0, ACK | PUSH, 1000 * number, 0, 1000)
        for snap in (54, 66, 96):
            with self.subTest(snap):
                text = self.words(talk.frames, snap=snap)
                for number in range(3):
                    self.assertIn(f"data 1000 seq {1000 * number + 1} ", text)
                self.assertIn("sent 3000 octets in 3 segments.", text)

    def test_a_capture_without_a_whole_tcp_header_is_refused(self):
        file = self.folder / "short.pcap"
        file.write_bytes(pcap(Talk().shake_hands().close().frames, 40))
        done = self.run_it(file)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
        self.assertIn(b"all of its 6 frames are cut off before a TCP header", done.stderr)
        self.assertIn(b"tcpdump -s", done.stderr)

    def test_frames_that_end_before_their_tcp_header_are_counted(self):
        content = section() + interface()
        for number, (at, frame) in enumerate(Talk().shake_hands().close().frames):
            content += captured(0, at, frame, size=40 if number == 2 else None)
        text = " ".join(self.run_it("-", given=content).stdout.decode().split())
        self.assertIn("1 frame is cut off before a TCP header", text)
        self.assertNotIn("cut off", self.words(Talk().shake_hands().close().frames))

    def test_no_header_counts_octets_that_its_frame_does_not_have(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 85)
        at, frame = talk.frames[-1]
        talk.frames.append((at + MILLISECOND, frame[:54]))  # the IP length is that of 85 octets
        talk.say(1, ACK, 0, 85).close(85)
        text = self.words(talk.frames)
        self.assertIn("The client sent 85 octets in 1 segment.", text)
        self.assertIn("nothing is wrong in its frames", text)

    def test_a_filter_that_keeps_syn_fin_and_rst_shows_no_loss(self):
        whole = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 450).say(1, ACK | PUSH, 0, 450, 900)
        whole.say(1, FIN | ACK, 900, 450).say(0, FIN | ACK, 450, 901).say(1, ACK, 901, 451)
        kept = [(at, frame) for at, frame in whole.frames if frame[47] & (SYN | FIN | RST)]
        self.assertEqual(len(kept), 4)
        text = self.words(kept)
        self.assertIn("1 without trouble", text)
        self.assertIn("a capture filter left out the rest", text)
        self.assertIn("450 B of the client are not in the capture: its filter left them out", text)
        for wrong in ("never arrived", "lost", "Probably", "LAST_ACK (", "half-closed"):
            self.assertNotIn(wrong, text)
        text = self.words(kept[:2] + Talk(port=40001).say(0, SYN, -1, 0).frames)
        self.assertNotIn("filter", text)  # nothing shows that the rest was sent

    def test_octets_that_are_acknowledged_before_a_gap_have_arrived(self):
        talk = Talk().shake_hands().say(1, FIN | ACK, 0, 450).say(0, FIN | ACK, 450, 1)
        text = self.words(talk.say(1, ACK, 1, 451).frames)
        self.assertIn("450 B of the client were acknowledged but are not in the capture", text)
        self.assertNotIn("never arrived", text)

    def test_octets_that_nobody_acknowledges_have_not_arrived(self):
        talk = Talk().shake_hands().say(1, ACK, 0, 0).say(0, FIN | ACK, 450, 0)
        self.assertIn("450 octets of the client before seq 451 never arrived here",
                      self.words(talk.say(1, ACK, 0, 0).frames))

    def test_nothing_is_claimed_about_the_time_between_merged_captures(self):
        early = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10).say(1, ACK, 0, 10)
        years = 5 * 365 * 86400 * 10**6
        late = Talk(port=40001, at=early.at + years).shake_hands().close()
        for frames in (early.frames + late.frames, late.frames + early.frames):
            text = self.words(frames)
            self.assertIn("2 without trouble", text)
            self.assertNotIn("no reply", text)
        self.assertIn("Its time jumps forward once, by up to 1825 days", self.words(
            early.frames + late.frames))
        same_day = Talk(port=40001, at=early.at + 3600 * 10**6).shake_hands().close()
        self.assertIn("no reply from server for 3600.1 s",
                      self.words(early.frames + same_day.frames))

    def test_a_reset_counts_as_an_answer(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10)
        talk.say(0, ACK | PUSH, 0, 0, 10, after=300 * MILLISECOND).say(1, RST, 0, 0)
        text = self.words(talk.frames)
        self.assertIn("The server reset it", text)
        self.assertNotIn("not answered", text)

    def test_nothing_is_claimed_about_an_unseen_end(self):
        text = self.words(Talk().say(0, SYN, -1, 0).frames)
        self.assertIn("When the capture ends, the client is probably in SYN_SENT (or CLOSED if it "
                      "has given up), and nothing was seen of the server.", text)

    def test_a_capture_that_begins_with_the_syn_ack_has_a_connection(self):
        talk = Talk().say(1, SYN | ACK, -1, 0).say(0, ACK, 0, 0).say(0, ACK | PUSH, 0, 0, 9)
        text = self.words(talk.say(1, ACK, 0, 9).frames)
        self.assertIn("The client connected to the server; the capture begins with the SYN,ACK.",
                      text)
        self.assertIn("the client is probably in ESTABLISHED, and the server is probably in ESTAB",
                      text)
        self.assertIn('"roles": "by the SYN,ACK"', self.words(talk.frames, "--json"))
        talk = Talk().say(1, SYN | ACK, -1, 0).say(1, SYN | ACK, -1, 0, after=1000 * MILLISECOND)
        self.assertIn("no answer to the SYN,ACK", self.words(talk.frames))

    def test_probes_at_the_beginning_are_told_from_plain_acks(self):
        talk = Talk()
        for _ in range(3):
            talk.say(0, ACK, -1, 0, after=1000 * MILLISECOND)
        text = self.words(talk.frames)
        self.assertIn("server is silent: 3 probes unanswered", text)
        self.assertIn("a capture that has only this direction", text)
        self.assertEqual(text.count("─ probe seq 1 ack 1 ─"), 3)
        text = self.words(talk.say(0, RST | ACK, 0, 0, after=1000 * MILLISECOND).frames)
        self.assertIn("client had no answer and gave up", text)

    def test_octets_that_the_capture_passes_over_are_named(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 1448, 0, 160)
        text = self.words(talk.say(1, ACK, 0, 0).frames)
        self.assertIn("1448 octets of the client before seq 1449 never arrived here, and the "
                      "server did not acknowledge them", text)
        self.assertIn("open; 1448 octets from client never arrived", text)
        text = self.words(talk.say(1, ACK, 0, 1608).frames)
        self.assertIn("1.4 kB of the client were acknowledged but are not in the capture", text)
        self.assertNotIn("never arrived", text)
        self.assertNotIn("nothing is wrong in its frames", text)

    def test_a_request_without_a_reply_is_not_called_good(self):
        other = Talk(port=40001, at=10**12 + 300 * 1000 * MILLISECOND).shake_hands().close()
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 19).say(1, ACK, 0, 19,
                                                                     after=MILLISECOND)
        text = self.words(talk.frames + other.frames, "--connection", "1")
        self.assertIn("open; no reply from server for 300.0 s", text)
        self.assertIn("The client's last 19 octets were acknowledged after 1.0 ms; the server has "
                      "sent no data in the 300.0 s until the capture ends.", text)
        self.assertNotIn("nothing is wrong", text)
        text = self.words(talk.say(1, ACK | PUSH, 0, 19, 5).say(0, ACK, 19, 5).frames
                          + other.frames, "--connection", "1")
        self.assertNotIn("no reply", text)
        self.assertIn("nothing is wrong in its frames", text)

    def test_data_that_is_never_acknowledged_is_trouble(self):
        other = Talk(port=40001, at=10**12 + 600 * 1000 * MILLISECOND).shake_hands().close()
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 19)
        text = self.words(talk.frames + other.frames, "--connection", "1")
        self.assertIn("data not acknowledged by server for", text)
        self.assertIn("and the client did not retransmit it.", text)

    def test_in_one_direction_no_answer_is_called_absent(self):
        talk = Talk().say(0, SYN, -1, 0).say(0, SYN, -1, 0, after=1000 * MILLISECOND)
        talk.say(0, ACK, 0, 0).say(0, ACK | PUSH, 0, 0, 9).say(0, ACK, 9, 5000)
        for _ in range(3):
            talk.say(0, ACK, 8, 5000, after=15000 * MILLISECOND)
        text = self.words(talk.frames)
        self.assertIn("The client sent 3 keepalive probes.", text)
        self.assertNotIn("not answered", text)
        self.assertNotIn("black-hole", text)
        self.assertNotIn("power-off", text)
        self.assertIn("The client acknowledged 5000 octets of the server.", text)
        self.assertIn(" 9 B 5.0 kB ", text)

    def test_a_reset_by_another_host_is_not_explained_as_the_servers(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 16).say(1, RST | ACK, 0, 16)
        text = self.words(talk.say(1, ACK | PUSH, 0, 16, 1200).frames)
        self.assertIn("A RST came in the name of the server; probably another host sent it.", text)
        self.assertNotIn("unread data", text)

    def test_an_expired_entry_of_a_nat_is_named_for_silence(self):
        talk = Talk().shake_hands()
        for number in range(4):
            talk.say(0, ACK | PUSH, 0, 0, 10, after=300 * MILLISECOND << number)
        self.assertIn("NAT or firewall that expired while the connection was idle",
                      self.words(talk.frames))

    def test_a_hung_connection_after_2500_good_ones_is_seen(self):
        frames = []
        for number in range(2500):
            frames += Talk(port=10000 + number, at=10**12 + number * 10**5).shake_hands().close() \
                .frames
        talk = Talk(port=9999, at=10**12 + 2500 * 10**5).shake_hands()
        for _ in range(3):
            talk.say(0, ACK | PUSH, 0, 0, 10, after=1000 * MILLISECOND)
        text = self.words(frames + talk.frames)
        self.assertIn("1 with an end that stopped answering; 2500 without trouble", text)
        self.assertIn("2501 connections.", text)
        self.assertIn("Connection 2501: client 10.0.0.1:9999", text)
        self.assertRegex(text, r"\d+ connections that closed without trouble were only counted\.")

    def test_a_silent_end_is_described_as_last_seen(self):
        talk = Talk().shake_hands()
        for number in range(4):
            talk.say(0, ACK | PUSH, 0, 0, 10, after=300 * MILLISECOND << number)
        text = self.words(talk.frames)
        self.assertIn("Its last 3 attempts were not answered.", text)
        self.assertIn("When the capture ends, the client is probably in ESTABLISHED (or FIN_WAIT1 "
                      "if its FIN waits behind its data, or CLOSED if it has given up), and the "
                      "server was last seen in ESTABLISHED.", text)
        text = self.words(talk.say(1, ACK, 0, 10).frames)
        self.assertIn("the client is probably in ESTABLISHED, and the server is probably in ESTABL",
                      text)

    def test_a_packet_captured_twice_is_not_a_retransmission(self):
        for stamp in (None, 77):
            with self.subTest(timestamp=stamp):
                frames = []
                talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10, stamp=stamp)
                for at, frame in talk.say(1, ACK, 0, 10, stamp=stamp).close(10).frames:
                    frames += [(at, frame), (at + 10, frame)]
                text = self.words(frames)
                self.assertIn("16 frames in 0.070 s from 1970-01-12 13:46:40 UTC, 16 of TCP, "
                              "1 connection.", text)
                self.assertIn("8 frames were in it already", text)
                self.assertIn("The client sent 10 octets in 1 segment.", text)
                self.assertNotIn("again", text)
                self.assertNotIn("repeated", text)
                self.assertNotIn("data-duplicated", text)
                self.assertEqual(text.count("─ SYN ─"), 1)

    def test_a_single_copy_is_not_a_retransmission(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10).again(40)
        text = self.words(talk.say(1, ACK, 0, 10).frames)
        self.assertIn("data-duplicated", text)
        self.assertIn("copy of it, no retr", text)
        self.assertNotIn("retransmitted", text)
        self.assertNotIn("data 10 again", text)
        self.assertNotIn("in it already", text)

    def test_a_retransmission_is_not_a_copy(self):
        talk = Talk().shake_hands()
        for after in (10 * MILLISECOND, 200):  # a fast retransmission on a short path
            talk.say(0, ACK | PUSH, 0, 0, 10, after=after)
        text = self.words(talk.frames)
        self.assertIn("retransmitted 1 segment.", text)
        self.assertIn("data 10 again", text)

    def test_joined_captures_are_sorted_by_time(self):
        later = Talk(at=10**12 + 99 * 10**6).shake_hands().close()
        earlier = Talk(port=40001).shake_hands().close()
        text = self.words(later.frames + earlier.frames, "--most", "2")
        self.assertIn("12 frames in 99.050 s", text)
        self.assertIn("Its timestamps go back once, by up to 99.0 s", text)
        self.assertRegex(text, r" 1 :40001 :8080 0\.000 s .* 2 :40000 :8080 99\.000 s ")
        self.assertNotIn("-99", text)
        times = [float(time) for time in
                 re.findall(r"^ +(\d+\.\d{6}) ",
                            self.tell(later.frames + earlier.frames, "--most", "2"), re.M)]
        self.assertEqual(times, sorted(times))
        self.assertEqual((len(times), times[-1]), (12, 99.05))

    def test_a_clock_set_back_keeps_a_connection_in_order(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 10)
        talk.at -= 5 * 10**6
        talk.say(0, ACK | PUSH, 0, 0, 10, after=300 * MILLISECOND).say(1, ACK, 0, 10).close(10)
        text = self.tell(talk.frames)
        times = [float(time) for time in re.findall(r"^ +(\d+\.\d{6}) ", text, re.M)]
        self.assertEqual(times, sorted(times))
        self.assertIn("go back once, by up to 4.7 s", re.sub(r"\s+", " ", text))
        self.assertNotRegex(text, r"\s-\d")

    def test_small_steps_back_in_time_are_not_reported(self):
        frames = Talk().shake_hands().close().frames
        frames[1], frames[2] = (frames[1][0] + 11 * MILLISECOND, frames[1][1]), frames[2]
        self.assertIn("go back", self.words(frames))
        frames[1] = (frames[2][0] + 100, frames[1][1])  # a NIC with several queues
        self.assertNotIn("go back", self.words(frames))

    def test_one_frame_segment_or_octet_is_in_the_singular(self):
        talk = Talk().shake_hands().say(0, ACK | PUSH, 0, 0, 1).say(1, ACK, 0, 1)
        text = self.words(talk.say(1, RST | ACK, 0, 1).frames)
        self.assertIn("sent 1 octet in 1 segment.", text)
        self.assertIn("received 1 octet, and", text)
        self.assertIn("1 frame in 0.000 s from 1970-01-12 13:46:40 UTC, 1 of TCP, 1 connection.",
                      self.words(Talk().say(0, SYN, -1, 0).frames))

    def test_a_capture_can_be_read_from_a_pipe(self):
        content = pcap(Talk().shake_hands().close().frames)
        file = self.folder / "yours.pcap"
        file.write_bytes(content)
        wanted = self.run_it(file).stdout
        self.assertIn(b"6 frames in", wanted)
        for name in ("-", "/dev/stdin"):
            with self.subTest(name):
                done = self.run_it(name, given=content)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted, b""))
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=fifo.write_bytes, args=(content,), daemon=True)
        writer.start()
        done = self.run_it(fifo)
        writer.join(timeout=10)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, wanted, b""))

    def test_two_interfaces_through_a_pipe_are_described_as_from_a_file(self):
        def block(kind, body):
            body += bytes(-len(body) % 4)
            size = struct.pack("<I", 12 + len(body))
            return struct.pack("<I", kind) + size + body + size
        content = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        content += block(1, struct.pack("<HHI", 1, 0, 0)) * 2
        for at, frame in Talk().shake_hands().close().frames:
            for interface in (0, 1):
                seen = at + 300 * interface
                content += block(6, struct.pack("<IIIII", interface, seen >> 32, seen % 2**32,
                                                len(frame), len(frame)) + frame)
        done = self.run_it("-", given=content)
        self.assertIn(b"6 frames in", done.stdout, done.stderr)
        self.assertNotIn(b"already", done.stdout)

    def test_standard_input_that_is_not_a_capture_is_refused(self):
        for given, words in ((b"", b"standard input: is empty"),
                             (b"no capture at all, but text\n", b"unknown")):
            done = self.run_it("-", given=given)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
