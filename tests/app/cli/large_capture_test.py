#!/usr/bin/env python3
"""Checks that tcplab explain does not use more memory for larger captures, and refuses files that
are not captures with TCP."""
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

TCPLAB = Path(os.environ["TCPLAB_BIN"]) / "tcplab"
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)  # pcap-savefile(5)
SYN, ACK, PUSH = 2, 16, 8
# AddressSanitizer keeps freed memory, which would count as used.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0"}


def record(at, frame):
    return struct.pack("<IIII", at // 10**6, at % 10**6, len(frame), len(frame)) + frame


def segment(client, flags, seq, ack, size, outbound=True):
    """Returns a segment of client number `client`, which has its own address and port."""
    ends = [(bytes([10, 0, client // 50000, 1]), 1024 + client % 50000),
            (bytes([10, 9, 0, 2]), 8080)]
    (source, port), (destination, other) = ends if outbound else reversed(ends)
    tcp = struct.pack(">HHIIBBHHH", port, other, seq, ack, 0x50, flags, 65535, 0, 0) + b"x" * size
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0)
    return b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + head + source + destination + tcp


def talk(client, exchanges):
    yield segment(client, SYN, 0, 0, 0)
    yield segment(client, SYN | ACK, 0, 1, 0, outbound=False)
    for number in range(exchanges):
        yield segment(client, PUSH | ACK, 1 + 100 * number, 1, 100)
        yield segment(client, ACK, 1, 101 + 100 * number, 0, outbound=False)


class Captures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, frames):
        with open(self.folder / name, "wb") as file:
            file.write(HEADER)
            for at, frame in enumerate(frames):
                file.write(record(at, frame))
        return self.folder / name

    def peak(self, file):
        """Returns the peak memory in KB, and the first line of the output."""
        process = subprocess.Popen([TCPLAB, "explain", file], stdout=subprocess.PIPE,
                                   env=ENVIRONMENT)
        said = process.stdout.read()
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, said[:200])
        return usage.ru_maxrss, said.decode().splitlines()[0]

    def test_memory_does_not_grow_with_the_frames(self):
        small, _ = self.peak(self.write("small.pcap", talk(1, 1000)))
        large, first_line = self.peak(self.write("large.pcap", talk(1, 100_000)))
        self.assertIn("200002 frames", first_line)
        self.assertLess(large, small + 8 * 1024)

    def test_memory_does_not_grow_with_the_connections(self):
        def many(clients):
            return (frame for client in range(clients) for frame in talk(client, 1))
        some, _ = self.peak(self.write("some.pcap", many(4000)))
        lots, first_line = self.peak(self.write("lots.pcap", many(100_000)))
        self.assertIn("400000 frames", first_line)
        self.assertIn("100000 connections", first_line)
        self.assertLess(lots, some + 8 * 1024)

    def test_a_capture_without_tcp_is_refused_in_one_line(self):
        lldp = b"\2" * 12 + b"\x88\xcc" + bytes(40)
        arp = b"\xff" * 6 + b"\2\0\0\0\0\1\x08\x06" + bytes(28)
        for content, words in (
                (b"", "is empty"), (HEADER[:10], "truncated"),
                (bytes(5000), "unknown file format"),
                (HEADER, "it has no frames"),
                (HEADER + record(1, arp) * 3, "there is no TCP in its 3 frames"),
                (HEADER + record(1, lldp) * 3,
                 "there is no TCP in its 3 frames; tcplab does not decode 3 frames of LLDP"),
                (HEADER + struct.pack("<IIII", 1, 0, 2**32 - 1, 2**32 - 1), "length 4294967295")):
            with self.subTest(words):
                file = self.folder / "bad.pcap"
                file.write_bytes(content)
                done = subprocess.run([TCPLAB, "explain", file], capture_output=True, text=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertIn("bad.pcap", done.stderr)


if __name__ == "__main__":
    unittest.main()
