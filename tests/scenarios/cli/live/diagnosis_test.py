#!/usr/bin/env python3
"""Runs scenarios, and checks that tcplab explain names each one from its capture, or one that
leaves the same frames. It must do so without the comments in the capture."""
import os
import re
import struct
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

# The scenarios that explain may name; only the scenario itself if none is given.
WANTED = {
    "abort-in-close-wait": {},
    "abort-on-overflow": {},
    "backlog-full": {},
    "backlog-full-for-a-moment": {},
    "black-hole": {},
    "both-write-nobody-reads": {},
    "client-power-off-in-syn-sent": {},
    "close-with-unread-data": {},
    "closing-ack-lost": {},
    "data-duplicated": {},
    "data-injected": {},
    "data-reordered": {},
    "fin-forged": {},
    "fin-lost": {},
    "firewall-forgets-and-drops": {},
    "firewall-forgets-and-resets": {},
    "firewall-prohibits-connect": {},
    "first-data-lost": {},
    "half-open-discovery": {},
    "keepalive-finds-power-cycle": {},
    "keepalive-finds-power-off": {},
    "last-ack-lost": {},
    "linger-zero": {},
    "connection-refused": {},
    "orphan-fin-wait1": {},
    "short-partition": {},
    "path-mtu-black-hole": {},
    "path-mtu-discovery": {},
    "path-mtu-probing": {},
    "power-cycle": {},
    "power-off": {},
    "rst-exact": {},
    "rst-in-window": {},
    "shutdown-then-write": {},
    "simultaneous-close": {},
    "simultaneous-open": {},
    "syn-ack-lost": {},
    "syn-lost": {},
    "syn-reopens-time-wait": {},
    "warmup": {},
    "window-update-lost": {},
    "write-to-orphan": {},
    "zero-window": {},
    "abort-in-closing": {},
    "abort-in-fin-wait1": {},
    "ack-for-data-not-sent": {},
    "close-in-syn-recv": {},
    "close-while-connecting": {},
    "closing-path-lost": {},
    "corruption-undetected": {},
    "fast-open": {},
    "fast-open-refused-cookie": {},
    "host-unreachable-established": {},
    "icmp-in-established": {},
    "icmp-in-syn-recv": {},
    "icmp-mtu-forged": {},
    "icmp-tiny-mtu": {},
    "keepalive-with-user-timeout": {},
    "linger2": {},
    "long-partition": {},
    "old-duplicate-syn": {},
    "peer-dies-after-half-close": {},
    "peer-dies-in-close-wait": {},
    "probes-to-a-listener": {},
    "reply-then-close-with-unread-data": {},
    "reset-before-connect-returns": {},
    "reset-lost": {},
    "router-loses-route": {},
    "rst-in-syn-recv": {},
    "rst-outside-window": {},
    "second-urgent-byte": {},
    "segment-corrupted": {},
    "simultaneous-open-reset": {},
    "spurious-retransmission": {},
    "time-wait-buckets": {},
    # The same frames as those of another scenario, by another call or another cause.
    "user-timeout": {"power-off"},
    "unacknowledged-bytes": {"first-data-lost"},
    "kill-unread-data": {"close-with-unread-data"},
    # These have no failure, so explain must name none.
    "no-keepalive": set(),
    "never-accept": set(),
}

# What explain can recognize in a capture of the client's interface alone, without comments.
AT_THE_CLIENT = {
    "black-hole", "close-with-unread-data", "fin-lost", "first-data-lost", "linger-zero",
    "keepalive-finds-power-cycle", "keepalive-finds-power-off", "connection-refused",
    "short-partition", "path-mtu-black-hole", "power-cycle", "power-off", "simultaneous-close",
    "syn-lost", "warmup", "write-to-orphan", "zero-window",
}


def without_comments(source, target):
    """Returns the same capture without comments and names of addresses."""
    data, at, kept = Path(source).read_bytes(), 0, []
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        block = data[at:at + size]
        if kind == 6:  # an enhanced packet: its options are all behind the octets
            captured = struct.unpack_from("<I", block, 20)[0]
            end = 28 + (captured + 3) // 4 * 4
            block = struct.pack("<II", kind, end + 4) + block[8:end] + struct.pack("<I", end + 4)
        if kind in (1, 6, 0x0a0d0d0a):
            kept.append(block)
        at += size
    Path(target).write_bytes(b"".join(kept))


def as_seen_by(host, source, target):
    """Returns a classic pcap file of one host's interface."""
    with open(target, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1))
        for frame in lab.read_pcapng(source):
            if frame.interface.startswith(host + "."):
                size = len(frame.data)
                out.write(struct.pack("<IIII", *divmod(frame.at, 10**9), size, size) + frame.data)


def explained(file):
    done = subprocess.run([lab.TCPLAB, "explain", file, "--most", "1000"], capture_output=True,
                          text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout


def named(text):
    return set(re.findall(r"(?:It looks|Or) like ([a-z0-9-]+):", re.sub(r"\s+", " ", text)))


class Likenesses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        done = subprocess.run([lab.TCPLAB, "run", *WANTED, "--family", "4", "--out", cls.folder],
                              capture_output=True, text=True, check=False, timeout=280)
        if done.returncode not in (0, lab.SKIPPED):
            raise AssertionError(done.stdout + done.stderr)
        skipped = set(re.findall(r"skipped: ([a-z0-9-]+)", done.stdout))
        cls.captures = {name: cls.folder / name / "capture.pcapng" for name in WANTED
                        if name not in skipped and (cls.folder / name).exists()}
        if not cls.captures:
            raise unittest.SkipTest("no scenario runs here: " + done.stdout[-300:])

        cls.told = {name: explained(file) for name, file in cls.captures.items()}

    def test_each_is_named(self):
        for name, text in self.told.items():
            with self.subTest(scenario=name):
                wanted = {name} if WANTED[name] == {} else WANTED[name]
                if wanted:
                    self.assertTrue(named(text) & wanted, text)
                else:
                    self.assertEqual(named(text), set(), text)

    def test_comments_are_no_evidence(self):
        bare = self.folder / "bare.pcapng"
        for name, file in self.captures.items():
            with self.subTest(scenario=name):
                without_comments(file, bare)
                self.assertNotIn(b"caused by", bare.read_bytes())
                self.assertEqual(explained(bare), self.told[name])

    def test_one_end_sees_enough(self):
        seen = self.folder / "kang.pcap"
        for name in sorted(AT_THE_CLIENT & set(self.captures)):
            with self.subTest(scenario=name):
                as_seen_by("kang", self.captures[name], seen)
                self.assertIn(name, named(explained(seen)))


if __name__ == "__main__":
    lab.main()
