#!/usr/bin/env python3
"""Checks that old words of the scripting interface still work, with one notice each."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab

# (line of old-words.lua, old word, new word), in the order of the lines.
NOTICES = [(7, '"learnt"', '"dynamic"'), (8, '"mended"', '"fixed"'), (9, "`lift`", "`remove`"),
           (12, '"retransmission_timeout"', '"r2"'), (12, '"retransmission_limit"', '"r2_limit"'),
           (12, '"suspicion_timeout"', '"r1"'), (12, '"orphan_timeout"', '"orphan_r2"'),
           (12, '"connect_timeout"', '"syn_r2"'), (12, '"synack_timeout"', '"synack_r2"'),
           (12, '"initial_timeout"', '"initial_rto"'), (12, '"lowest_timeout"', '"rto_min"')]


class OldWords(unittest.TestCase):
    def test_each_old_word_works_and_has_one_notice(self):
        with lab.Folder() as out:
            run = lab.Run("old-words.lua", out)
            self.assertEqual(run.status, 0, run.said())
        notices = [line for line in run.errors.splitlines() if "is an old word" in line]
        self.assertEqual(
            [line.removeprefix("tcplab: ") for line in notices],
            [f"{run.script}:{line}: {old} is an old word that will stop working; write {new}"
             for line, old, new in NOTICES])

    def test_new_words_have_no_notice(self):
        with lab.Folder() as out:
            run = lab.Run("faulty-line.lua", out)
            self.assertEqual((run.status, run.errors), (0, ""), run.said())


if __name__ == "__main__":
    unittest.main()
