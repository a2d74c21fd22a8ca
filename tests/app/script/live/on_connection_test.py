#!/usr/bin/env python3
"""Checks expectations about the calls on one connection of a program that has several."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class OnConnection(unittest.TestCase):
    def test_calls_on_one_connection(self):
        lab.need("python3")
        for family in "4", "6":
            with self.subTest(family=family), lab.Folder() as out:
                run = lab.Run("on-connection.lua", out, family=family)
                self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
