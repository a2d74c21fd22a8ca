#!/usr/bin/env python3
"""Calls are expected by their arguments, packets by words, connections as a whole."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab

FAILED, BAD_SCRIPT = 1, 2


class Facts(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def test_the_option_of_another_call_does_not_count(self):
        run = lab.Run("call-arguments.lua", self.out.name)
        self.assertEqual(run.status, FAILED, run.said())
        self.assertIn("call-arguments.lua:9", run.output)
        self.assertIn("setsockopt TCP_USER_TIMEOUT returns 0", run.output)

    def test_each_packet_word_selects_its_segment(self):
        for family in ("4", "6"):
            with self.subTest(family=family):
                run = lab.Run("packet-words.lua", self.out.name, family=family)
                self.assertEqual(run.status, 0, run.said())

    def test_a_connection_has_what_its_kernel_says(self):
        for family in ("4", "6"):
            with self.subTest(family=family):
                run = lab.Run("kernel-facts.lua", self.out.name, family=family)
                self.assertEqual(run.status, 0, run.said())

    def test_expectations_that_cannot_be_are_refused(self):
        run = lab.Run("facts-refused.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())

    def test_a_mistyped_word_is_refused_with_the_nearest(self):
        run = lab.Run("mistyped-word.lua", self.out.name)
        self.assertEqual(run.status, BAD_SCRIPT, run.said())
        self.assertIn('mistyped-word.lua:7: lab:expect_packet: argument 2 (packet) is wrong: '
                      '"keepalive prob" is neither a packet word nor a pcap filter; did you mean '
                      '"keepalive probe"', run.output + run.errors)

    def test_a_connection_that_cannot_come_fails_at_once(self):
        run = lab.Run("never-connected.lua", self.out.name)
        self.assertEqual(run.status, FAILED, run.said())
        self.assertIn("connect(4) = -1 ECONNREFUSED", run.output)
        self.assertNotIn("within", run.output)


if __name__ == "__main__":
    unittest.main()
