#!/usr/bin/env python3
"""Checks tcplab explain on parts of the captures of runs: one direction, or only SYN, FIN and RST.
What is not in such a part must not be said to be absent."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
import talks

RUNS = ("power-cycle", "power-off", "write-to-orphan", "data-after-close", "close-with-unread-data",
        "data-then-reset", "reset-lost", "keepalive-probes", "rto-doubles", "linger2",
        "abort-in-closing", "closing-path-lost", "abort-on-overflow",
        "reset-before-connect-returns")
ABSENCE = ("without an answer", "had no answer", "answered no segment", "had received no data",
           "before the third segment", "never answered", "no such connection", "has not when the")
HALF = "a capture that has only SYN, FIN and RST"


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        done = subprocess.run([lab.TCPLAB, "run", *RUNS, "--family", "4", "--jobs", "4",
                               "--out", cls.out.name], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(lab.troubles(done.stdout) + done.stderr)

    def parts(self, choose):
        """Yields each run's name, the segments of its capture that `choose` accepts, and what
        explain says of a capture that has only these."""
        for capture in sorted(Path(self.out.name).glob("*/capture-kang.pcapng")):
            frames = lab.read_pcapng(capture)
            part = [(frame.at // 1000, frame.data) for frame in frames
                    if lab.segment(frame.data) and choose(lab.segment(frame.data))]
            if not part:
                continue
            done = subprocess.run([lab.TCPLAB, "explain", "--json", "-"], input=talks.pcap(part),
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            segments = [lab.segment(data) for _, data in part]
            yield capture.parent.name, segments, json.loads(done.stdout)

    def test_one_direction_does_not_show_what_the_other_end_did_not_send(self):
        clients = bytes([10, 0, 0, 1])
        for sends in (True, False):
            seen = 0
            for name, segments, said in self.parts(
                    lambda segment, sends=sends: (segment.source[0] == clients) == sends):
                if not any("A" in segment.flags for segment in segments):
                    continue  # SYNs alone, which nobody need have answered
                for connection in said["connections"]:
                    seen += 1
                    causes = [cause["because"] for cause in connection["probably"]]
                    text = " ".join(causes) + connection["ending"] + connection["what_happened"]
                    for words in ABSENCE:
                        self.assertNotIn(words, text, f"{name}, client's: {sends}")
            self.assertGreater(seen, len(RUNS) // 2)

    def test_a_filter_for_syn_fin_and_rst_is_named_beside_what_it_may_hide(self):
        seen = 0
        for name, _, said in self.parts(lambda segment: set(segment.flags) & set("SFR")):
            for connection in said["connections"]:
                if connection["server"]["frames"] > connection["server"]["resets"]:  # a SYN,ACK
                    self.assertNotIn("never established", connection["what_happened"], name)
                    self.assertNotIn("a live connection", connection["what_happened"], name)
                for cause in connection["probably"]:
                    if "before the third segment" in cause["because"]:
                        seen += 1
                        self.assertIn(HALF, cause["same_frames"], name)
        self.assertGreaterEqual(seen, 3)


if __name__ == "__main__":
    unittest.main()
