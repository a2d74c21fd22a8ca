#!/usr/bin/env python3
"""Checks tcplab explain on captures of real programs that meet real faults, made on the fly
(tests/support/faults.py). The counts must equal tshark's. The words must not claim what the frames
do not show."""
import concurrent.futures
import functools
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import captures
import faults
import lab
import path_faults  # adds its cases
import schemas

FIELDS = ("tcp.stream", "tcp.analysis.retransmission", "tcp.analysis.out_of_order",
          "tcp.analysis.duplicate_ack", "tcp.analysis.zero_window", "tcp.flags.reset",
          "tcp.analysis.keep_alive", "tcp.analysis.zero_window_probe", "tcp.srcport", "tcp.seq_raw",
          "tcp.len", "tcp.ack_raw", "tcp.flags.syn", "tcp.flags.fin")


@functools.cache
def counted_by_tshark(file):
    """An ICMP error has fields of the TCP segment that it quotes, so it is excluded."""
    command = ["tshark", "-r", file, "-Y", "tcp && !icmp && !icmpv6", "-T", "fields",
               "-E", "separator=,", "-E", "occurrence=f"]
    for field in FIELDS:
        command += ["-e", field]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split(",") for line in done.stdout.splitlines()]
    column = {field: [row[number] for row in rows] for number, field in enumerate(FIELDS)}
    number_of = {field: sum(1 for value in column[field] if value) for field in FIELDS}
    return {"connections": len(set(column["tcp.stream"])),
            # tshark takes a gap that is filled late for a retransmission, early for a reordering.
            "retransmissions": number_of["tcp.analysis.retransmission"] +
            number_of["tcp.analysis.out_of_order"],
            "duplicate ACKs": number_of["tcp.analysis.duplicate_ack"],
            "other ACKs": other_acknowledgments(rows),
            "zero windows": number_of["tcp.analysis.zero_window"],
            "resets": sum(1 for value in column["tcp.flags.reset"] if is_set(value)),
            # Linux probes a zero window with a segment that tshark calls a keep-alive.
            "probes": number_of["tcp.analysis.keep_alive"] +
            number_of["tcp.analysis.zero_window_probe"]}


def other_acknowledgments(rows):
    """Counts tshark's duplicate ACKs that RFC 5681 section 2 does not call duplicates. Nothing is
    outstanding: the ACK answers a retransmission of octets that had arrived. Or the sender has
    acknowledged more before: the network has changed the order of two ACKs."""
    count = 0
    ends = {}  # of the octets seen, for each stream and the port of their sender
    greatest = {}  # the greatest acknowledgment number, likewise
    for values in rows:
        row = dict(zip(FIELDS, values))
        way = row["tcp.stream"], row["tcp.srcport"]
        acknowledgment = int(row["tcp.ack_raw"])
        if row["tcp.analysis.duplicate_ack"]:
            others = [end for (stream, port), end in ends.items()
                      if stream == row["tcp.stream"] and port != row["tcp.srcport"]]
            is_answer = all(not is_before(acknowledgment, end) for end in others)
            count += is_answer or is_before(acknowledgment, greatest.get(way, acknowledgment))
        if not is_set(row["tcp.flags.syn"]) and (
                way not in greatest or is_before(greatest[way], acknowledgment)):
            greatest[way] = acknowledgment
        end = (int(row["tcp.seq_raw"]) + int(row["tcp.len"]) + is_set(row["tcp.flags.syn"]) +
               is_set(row["tcp.flags.fin"]))
        if way not in ends or is_before(ends[way], end):
            ends[way] = end
    return count


def packets(file):
    """Returns the rows from which tshark's counts come."""
    command = ["tshark", "-r", file, "-n", "-Y", "tcp"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def is_set(flag):
    return flag in ("1", "True")


def is_before(left, right):
    """Compares sequence numbers, modulo 2^32."""
    return 0 < (right - left) % 2**32 < 2**31


@functools.cache
def explain(*arguments):
    done = subprocess.run([lab.TCPLAB, "explain", *map(str, arguments)], capture_output=True,
                          text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stderr}")
    return done.stdout


def counted_by_explain(file):
    connections = schemas.checked(explain("--json", file))["connections"]
    ends = [connection[end] for connection in connections for end in ("client", "server")]

    def total(*names):
        return sum(end[name] for end in ends for name in names)
    # A scan is one entry. In these captures, its other connections were refused with a RST each,
    # but for those that are open.
    scans = [connection["scan"] for connection in connections if "scan" in connection]
    others = sum(scan["connections"] - 1 for scan in scans)
    refused = sum(scan["refused"] - 1 for scan in scans)
    return {"connections": len(connections) + others,
            "retransmissions": total("retransmissions", "out_of_order"),
            "duplicate ACKs": total("duplicate_acks"), "zero windows": total("zero_windows"),
            "resets": total("resets") + refused,
            "probes": total("keepalive_probes", "window_probes")}


# What explain says about a case, and what it must not say.
SAYS = {
    "clean-close": "nothing is wrong in its frames",
    "clean-close-ipv6": "nothing is wrong in its frames",
    "curl-downloads": r"The server sent 600\d+ octets in 41\d segments\.",
    "curl-downloads-with-offload":
        r"sent 3000\d+ octets in 20\d\d segments \(captured as \d+ frames: segmentation offload\)",
    "curl-uploads-with-offload":
        r"The client sent 2000000 octets in 13\d\d segments \(captured as \d+ frames",
    "connection-refused": "refused with a RST .* connection-refused: the client's SYN",
    "syn-dropped": r"no answer to [3-6] SYNs .* \(or CLOSED if it has given up\)",
    "first-syn-lost": "closed; 2 SYNs, 1.0 s .* syn-lost",
    "syn-ack-lost": "closed; 2 SYNs, 1.0 s",
    "many-lose-their-syn": "60 connections.* 41 with a lost SYN or SYN,ACK; 19 without trouble",
    "firewall-prohibits": "refused by ICMP: prohibited .* the client is probably in CLOSED",
    "host-unreachable": "refused by ICMP: host unreachable .* the client is probably in CLOSED",
    "firewall-resets": "reset in the name of server.* firewall-forgets-and-resets",
    "firewall-forgets": "server is silent: .* a firewall that drops silently",
    "server-vanishes": "server is silent: .* power-off: the client retransmitted its data",
    "keepalive-unanswered": "client had no answer and gave up .* keepalive-finds-power-off",
    "keepalive-answered-by-a-router":
        "host-unreachable-established: ICMP errors about segments of the client arrived from 10.1",
    "keepalive-answered": "nat-kept-open-by-keepalive",
    "keepalive-refused": "keepalive-finds-power-cycle",
    "window-closes-and-opens": "later it opened the window .* a program that is stopped",
    "window-stays-closed": "stuck: server's window is zero",
    "stopped-server": "stuck: server's window is zero",
    "lossy-upload": r"retransmissions \(.* the path loses segments: the client sent",
    "lossy-download": "the path loses segments: the server sent",
    "lossy-upload-ipv6": "the path loses segments: the client sent",
    "slow-link": "the path loses segments: .* a full queue on a slow link",
    "mtu-black-hole": "path-mtu-black-hole: .* 1448 octets .* power-off: the other end is gone",
    "mtu-black-hole-at-once": "path-mtu-black-hole: .* power-off: the other end is gone",
    "mtu-black-hole-with-offload": "path-mtu-black-hole: the client sent a segment of 1448 octets",
    "mtu-is-reported": "path-mtu-discovery: 10.1.0.254 reported to the client",
    "unread-data": "reset by server .* close-with-unread-data",
    "linger-zero": "reset by client .* linger-zero",
    "program-killed": "reset by server, which had closed",
    "half-close": "shutdown-then-write",
    "server-never-closes": "half-closed: server has not closed .* in CLOSE_WAIT",
    "fin-lost": "fin-lost: the client retransmitted its FIN",
    "urgent": "urgent-pointer",
    "backlog-full": "no answer to .* SYNs .* backlog-full",
    "only-from-the-client": "only one direction: what the client sent. .* states are not known",
    "only-to-the-client": "only one direction: what the server sent. .* states are not known",
    "open-and-only-from-the-client": "only one direction: what the client sent.",
    "short-frames": "The client sent 40000 octets in 28 segments.",
    "begins-in-the-middle": "the ports tell the client from the server",
    "ports-used-again": "6 connections",
    "user-timeout": r"server is silent: .* ESTABLISHED \(or FIN_WAIT1 .*, or CLOSED if",
    "server-port-scanned": "20 connections.* 19 refused",
}
NEVER_SAYS = {
    "clean-close": "warmup", "curl-downloads": "warmup", "lossy-upload": "warmup",
    "keepalive-answered-by-a-router": "icmp-wrong-sequence-number|guessed",
    "only-from-the-client": "never established|never came|silent|no answer",
    "only-to-the-client": "never established|never came|silent|no answer",
    "open-and-only-from-the-client": "never established|silent|no answer",
    "mtu-black-hole-with-offload": "path-mtu-probing",
}


class ExplainFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = captures.why_not()
        if reason:
            raise unittest.SkipTest(reason)
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(cls.make, faults.CASES))

    @classmethod
    def make(cls, name):
        with captures.Network(cls.file(name), **faults.OPTIONS[name]) as net:
            faults.CASES[name](net)

    @classmethod
    def file(cls, name):
        return cls.folder / f"{name}.pcap"

    def words(self, name, *options):
        return re.sub(r"\s+", " ", explain(self.file(name), *options))

    def test_counts_equal_those_of_tshark(self):
        self.assertIs(path_faults.case, faults.case)
        self.assertGreaterEqual(len(faults.CASES), 30)
        for name in faults.CASES:
            with self.subTest(name):
                theirs = dict(counted_by_tshark(self.file(name)))
                ours = counted_by_explain(self.file(name))
                others = theirs.pop("other ACKs")
                if "snap" in faults.OPTIONS[name]:  # tshark does not analyse headers that were cut
                    for what in ("retransmissions", "duplicate ACKs"):
                        self.assertEqual(theirs[what], 0)
                        theirs[what] = ours[what]
                theirs["duplicate ACKs"] -= others
                if ours != theirs:
                    self.fail(f"{ours} != {theirs}\n{packets(self.file(name))}")

    def test_the_faults_happened(self):
        total = {}
        for name in faults.CASES:
            for what, count in counted_by_tshark(self.file(name)).items():
                total[what] = total.get(what, 0) + count
        for what, least in (("connections", 100), ("retransmissions", 100), ("duplicate ACKs", 10),
                            ("zero windows", 8), ("resets", 20), ("probes", 10)):
            self.assertGreaterEqual(total[what], least, what)

    def test_the_words_fit_the_fault(self):
        self.assertEqual(set(SAYS) - set(faults.CASES), set())
        for name, words in SAYS.items():
            with self.subTest(name):
                self.assertRegex(self.words(name), words)

    def test_no_claim_contradicts_the_fault(self):
        for name, words in NEVER_SAYS.items():
            with self.subTest(name):
                self.assertNotRegex(self.words(name), words)

    def test_the_ladder_shows_a_window_that_opens_and_no_false_silence(self):
        text = explain(self.file("window-closes-and-opens"))
        self.assertRegex(text, r"win 0")
        ladder = text[text.index("seconds"):]
        self.assertRegex(ladder, r"═ \d+ frames")
        closed = [line for line in ladder.splitlines() if "win 0" in line]
        after = ladder[ladder.index(closed[-1]):]
        self.assertRegex(after, r"◀─+ ACK \d+ ─+")  # the update
        # A silence is as long as the time between the frames beside it.
        lines = ladder.splitlines()
        for number, line in enumerate(lines):
            if "nothing happens" not in line:
                continue
            said = float(re.search(r"([0-9.]+) s: nothing", line)[1])
            before, later = float(lines[number - 1].split()[0]), float(lines[number + 1].split()[0])
            self.assertAlmostEqual(said, later - before, delta=0.02)

    def test_the_worst_comes_first(self):
        connections = schemas.checked(explain("--json", self.file("backlog-full")))["connections"]
        self.assertEqual([connection["trouble"] for connection in connections],
                         ["no answer", "none"])
        text = explain(self.file("many-lose-their-syn"))
        rows = re.findall(r"^ *(\d+) .*?(2 SYNs|closed$)", text, re.M)
        self.assertEqual([words for _, words in rows], ["2 SYNs"] * 41 + ["closed"] * 19)
        self.assertEqual(len(re.findall(r"^Connection \d+:", text, re.M)), 3)
        self.assertIn("3 of the 41 bad connections are described", text)


if __name__ == "__main__":
    lab.main()
