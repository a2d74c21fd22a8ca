#!/usr/bin/env python3
"""The lab follows the sequence numbers of frames that it only counts."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class FloodNumbers(unittest.TestCase):
    def test_the_sequence_numbers_are_right_after_a_flood(self):
        with lab.Folder() as out:
            run = lab.Run("flood-numbers.lua", out)
            self.assertEqual(run.status, 0, run.said())
            self.assertTrue(run.events("flood"))


if __name__ == "__main__":
    lab.main()
