#!/usr/bin/env python3
"""Checks that tcplab explain does not use more memory for larger captures, and refuses files that
are not captures with TCP."""
import json
import os
import re
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from many import HEADER, at_once, closed_talk, failed_talk, open_talk, record, write

TCPLAB = Path(os.environ["TCPLAB_BIN"]) / "tcplab"
# AddressSanitizer keeps freed memory, which would count as used.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0"}


class Captures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, frames):
        return write(self.folder / name, frames)

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

    def explained(self, *arguments, given=None):
        """Returns the text, without the breaks of its lines."""
        done = subprocess.run([TCPLAB, "explain", *arguments], check=True, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, input=given)
        return re.sub(r"\s+", " ", done.stdout.decode())

    def test_memory_does_not_grow_with_the_frames(self):
        small, _ = self.peak(self.write("small.pcap", open_talk(1, 1000)))
        large, first_line = self.peak(self.write("large.pcap", open_talk(1, 100_000)))
        self.assertIn("200002 frames", first_line)
        self.assertLess(large, small + 8 * 1024)

    def test_memory_does_not_grow_with_the_good_connections(self):
        def many(clients):
            return (frame for client in range(clients) for frame in closed_talk(client))
        some, _ = self.peak(self.write("some.pcap", many(4000)))
        lots, first_line = self.peak(self.write("lots.pcap", many(100_000)))
        self.assertIn("700000 frames", first_line)
        self.assertIn("100000 connections", first_line)
        self.assertLess(lots, some + 8 * 1024)

    def test_an_open_connection_takes_little_memory(self):
        def many(clients):
            return at_once(clients, open_talk)
        some, _ = self.peak(self.write("some.pcap", many(5000)))
        lots, first_line = self.peak(self.write("lots.pcap", many(25_000)))
        self.assertIn("25000 connections", first_line)
        # 200,000 connections, the most that are followed, must fit into 500 MB.
        self.assertLess((lots - some) * 1024 / 20_000, 2400)

    def test_the_index_links_each_page(self):
        file = self.write("failed.pcap", at_once(300, failed_talk))
        for options, pages in [(["--connection", "299"], ["connection-299.html"]),
                               (["--most", "300"], [f"connection-{i}.html" for i in (101, 300)])]:
            with self.subTest(options=options):
                out = self.folder / options[0]
                self.explained(file, *options, "--html", out)
                index = (out / "index.html").read_text()
                for page in pages:
                    self.assertTrue(f'href="./{page}"' in index, page)
                    self.assertTrue((out / page).exists())

    def test_many_failed_connections_are_summarized(self):
        file = self.write("failed.pcap", at_once(15_000, failed_talk))
        text = self.explained(file)
        self.assertIn("7500 with an end that stopped answering; 7500 with retransmissions", text)
        self.assertNotIn("Not followed", text)
        self.assertIn("... and 7480 more with retransmissions", text)
        self.assertIn("6 of the 15000 bad connections are described", text)
        # The ladders of connections after the 2,000th are in a second reading of the file.
        late = self.explained(file, "--connection", "14999")
        self.assertIn("Connection 14999: ", late)
        self.assertIn("data 100 again seq 1", late)
        self.assertNotIn("were not kept", late)
        with open(file, "rb") as pipe:
            piped = self.explained("-", "--connection", "14999", given=pipe.read())
        self.assertIn("Its frames were not kept", piped)

    def test_json_has_all_of_many_connections(self):
        file = self.write("many.pcap", at_once(3000, failed_talk))
        told = json.loads(subprocess.run([TCPLAB, "explain", "--json", file], check=True,
                                         env=ENVIRONMENT, stdout=subprocess.PIPE).stdout)
        self.assertEqual(told["connections_not_followed"], 0)
        self.assertEqual(sorted(each["number"] for each in told["connections"]),
                         list(range(1, 3001)))

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
