#!/usr/bin/env python3
"""Checks frames between NICs with segmentation offload: the events, the ladder and the capture say
what they are, tshark accepts them, and runs with veth pairs are skipped."""
import os
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

CHECKSUM = 16  # its offset in the TCP header (RFC 9293 section 3.1)


def add(data):
    """Returns the one's complement sum of 16-bit words (RFC 1071)."""
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + bytes(len(data) % 2)))
    while total > 0xffff:
        total = (total & 0xffff) + (total >> 16)
    return total


class Sums:
    """The checksum in a TCP segment of an Ethernet frame with IPv4, and what it could be."""

    def __init__(self, frame):
        segment = frame[34:14 + struct.unpack_from(">H", frame, 16)[0]]
        self.written = struct.unpack_from(">H", segment, CHECKSUM)[0]
        self.partial = add(frame[26:34] + struct.pack(">HH", 6, len(segment)))
        blank = segment[:CHECKSUM] + bytes(2) + segment[CHECKSUM + 2:]
        self.complete = 0xffff - add(struct.pack(">H", self.partial) + blank)


class Offload(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_on(self, ports, family="4"):
        return lab.Run("offload.lua", self.out.name, family=family, env={"TCPLAB_PORTS": ports})

    def passing(self, family="4"):
        run = self.run_on("tap", family)
        self.assertEqual(run.status, 0, run.said())
        return run

    def test_frames_of_many_segments(self):
        for family in "46":
            with self.subTest(family=family):
                large = [packet for packet in self.passing(family).events("packet")
                         if packet.get("segments")]
                self.assertGreaterEqual(len(large), 6)
                self.assertGreaterEqual(max(packet["segments"] for packet in large), 44)
                for packet in large:
                    self.assertIn(f"({packet['segments']} segments)", packet["summary"])

    def test_the_ladder_says_so(self):
        run = self.passing()
        shown = subprocess.run([lab.TCPLAB, "show", run.folder], text=True, check=True,
                               stdout=subprocess.PIPE).stdout
        self.assertIn("data 5000 (4 segs)", shown)

    def test_checksums_are_partial_on_the_sender_and_complete_on_the_receiver(self):
        sent = received = 0
        for frame in self.passing().frames():
            segment = lab.segment(frame.data)
            if segment is None or len(segment.payload) < 5000 or "corrupt" in frame.comment:
                continue
            sums = Sums(frame.data)
            self.assertEqual(sums.written, sums.partial if frame.outbound else sums.complete)
            sent += frame.outbound
            received += not frame.outbound
        self.assertGreaterEqual(sent, 6)
        self.assertGreaterEqual(received, 6)

    def test_tshark_opens_the_capture(self):
        lab.need("tshark")
        for family in "46":
            capture = self.passing(family).folder / "capture.pcapng"
            # The script has five frames of 5000 bytes before the first loss, and a copy of one.
            # They are captured twice. After a loss, the congestion window decides.
            for words, least, most in (
                    ("_ws.malformed || ip.bogus_ip_length || tcp.len > frame.len", 0, 0),
                    ("tcp.checksum.status == \"Bad\" && tcp.len > 0"
                     " && frame.interface_name == \"kodos.eth0\"", 1, 1),  # the corrupted one
                    ("tcp.len == 5000", 11, 99), ("tcp.len > 60000", 2, 99)):
                seen = subprocess.run(
                    ["tshark", "-o", "tcp.check_checksum:TRUE", "-r", capture, "-Y", words],
                    text=True, capture_output=True, check=True).stdout
                with self.subTest(family=family, words=words):
                    self.assertTrue(least <= len(seen.splitlines()) <= most, seen)

    def test_routers(self):
        for family in "46":
            done = subprocess.run(
                [lab.TCPLAB, "run", lab.SCRIPTS / "offload-router.lua", "--family", family,
                 "--out", self.out.name],
                text=True, capture_output=True, check=False,
                env={**os.environ, "TCPLAB_PORTS": "tap"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_veth_pair_cannot(self):
        run = self.run_on("veth")
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertIn("it needs TAP: with offload = true a veth pair would deliver corrupted "
                      "frames as correct", run.output)


if __name__ == "__main__":
    lab.main()
