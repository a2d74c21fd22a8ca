#!/usr/bin/env python3
"""The lab follows the sequence numbers of frames that it only counts."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class FloodNumbers(unittest.TestCase):
    def test_the_sequence_numbers_are_right_after_a_flood(self):
        with lab.Folder() as out:
            # Frames of veth pairs have the kernel's time stamps: however slow the lab is, they
            # come as fast as the kernel sends them.
            run = lab.Run("flood-numbers.lua", out, env={"TCPLAB_PORTS": "veth"})
            self.assertTrue(run.events("flood"))
            self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
