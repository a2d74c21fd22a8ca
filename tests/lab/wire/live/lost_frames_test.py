#!/usr/bin/env python3
"""Checks what is recorded of a frame whose receiver is off or unplugged, while a third host is on
the same link."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class ThirdHost(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def test_it_gets_no_frame_of_another_host(self):
        for family in "46":
            run = lab.Run("one-of-three-off.lua", self.out.name, family=family)
            self.assertEqual(run.status, 0, run.said())
            lost = [packet for packet in run.events("packet") if packet["fate"] == "lost"]
            self.assertGreaterEqual(len(lost), 2)
            for packet in lost:
                self.assertEqual((packet["to"], packet["effects"]),
                                 ("kodos", [{"kind": "receiver_gone"}]))
            received = [frame for frame in run.frames()
                        if frame.interface == "krusty.eth0" and not frame.outbound]
            self.assertEqual(received, [])


if __name__ == "__main__":
    lab.main()
