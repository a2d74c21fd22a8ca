#!/usr/bin/env python3
"""Checks that all views of a run mark forged frames as forged, and that tshark accepts them."""
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

FORGED = 7  # frames that forged.lua forges
COMMENT = "forged by the script"


class Forged(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def forged(self, family):
        run = lab.Run("forged.lua", self.out.name, family=family)
        self.assertEqual(run.status, 0, run.said())
        return run

    def test_events_and_capture_mark_forged_frames(self):
        run = self.forged("4")
        packets = [packet for packet in run.events("packet") if packet["fate"] == "forged"]
        self.assertEqual(len(packets), FORGED)
        for packet in packets:
            self.assertEqual((packet["to"], packet["effects"]), ("kang", [{"kind": "forged"}]))
            self.assertIn("delivered", packet)
        self.assertEqual({packet.get("from", "") for packet in packets}, {"kodos", ""})
        captured = [frame for frame in run.frames() if COMMENT in frame.comment.splitlines()]
        self.assertEqual(len(captured), FORGED)
        for frame in captured:
            self.assertEqual((frame.interface, frame.outbound), ("kang.eth0", False))

    def test_a_forged_syn_does_not_change_relative_numbers(self):
        """A forged SYN does not change the base of relative sequence numbers."""
        last = [packet for packet in self.forged("4").events("packet")
                if packet.get("from") == "kodos" and packet["fate"] == "delivered"][-1]
        self.assertIn("seq 1:", last["summary"])

    def test_all_views_count_from_a_forged_syn_that_was_accepted(self):
        for family in "46":
            run = lab.Run("forged-relative.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_timestamps_are_forged_only_if_both_syns_offered_them(self):
        for family in "46":
            run = lab.Run("forged-timestamps.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())

    def test_every_option_is_in_the_capture(self):
        lab.need("tshark")
        for family in "46":
            run = lab.Run("forged-options.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())
            wanted = {"tcp.options.mss_val": "1234", "tcp.options.wscale.shift": "5",
                      "tcp.options.timestamp.tsval": "7", "tcp.options.timestamp.tsecr": "8",
                      "tcp.options.tfo.cookie": "01000203"}
            fields = [word for name in wanted for word in ("-e", name)]
            seen = subprocess.run(["tshark", "-r", run.folder / "capture.pcapng", "-T", "fields",
                                   *fields, "-Y", "tcp.options.mss_val == 1234"],
                                  capture_output=True, text=True, check=True).stdout
            self.assertEqual(seen.replace(":", "").split("\t"),
                             [*list(wanted.values())[:-1], wanted["tcp.options.tfo.cookie"] + "\n"])

    def test_faults_act_on_forged_segments(self):
        for family in "46":
            run = lab.Run("forged-meets-faults.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())
            kinds = [[effect["kind"] for effect in packet["effects"]]
                     for packet in run.events("packet") if packet.get("effects")
                     and packet["to"] == "kang"]
            for wanted in (["forged", "lost"], ["forged", "held"], ["forged", "delayed"],
                           ["forged", "duplicated"], ["copied"], ["forged", "corrupted"]):
                self.assertIn(wanted, kinds)

    def test_tshark_finds_no_wrong_checksum(self):
        lab.need("tshark")
        bad = "tcp.checksum.status == 0 || icmp.checksum.status == 0 || " \
              "icmpv6.checksum.status == 0 || ip.checksum.status == 0 || _ws.malformed"
        forged = f'frame.comment == "{COMMENT}"'
        options = [word for name in ("tcp.check_checksum", "ip.check_checksum")
                   for word in ("-o", f"{name}:TRUE")]
        for family in "46":
            capture = self.forged(family).folder / "capture.pcapng"
            for words, wanted in ((f"{forged} && ({bad})", 0), (forged, FORGED)):
                seen = subprocess.run(["tshark", "-r", capture, *options, "-Y", words],
                                      capture_output=True, text=True, check=True).stdout
                self.assertEqual(len(seen.splitlines()), wanted, seen)


if __name__ == "__main__":
    lab.main()
