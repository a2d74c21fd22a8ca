#!/usr/bin/env python3
"""A run that passes one of its limits ends as broken, with a line that says what to do."""
import sys
import unittest

sys.dont_write_bytecode = True
import lab


class Limits(unittest.TestCase):
    def broken(self, *options):
        """Returns the reason why the run with these options is broken."""
        with lab.Folder() as out:
            run = lab.Run("uses-too-much.lua", out, *options)
            self.assertEqual(run.status, 3, run.said())
            end = run.events()[-1]
            self.assertEqual((end["kind"], end["outcome"]), ("end", "broken"))
            self.assertLess((run.folder / "events.jsonl").stat().st_size, 200 << 20)
            return end["reason"]

    def test_output_is_limited_without_an_option(self):
        self.assertEqual(self.broken(), "the run's programs wrote more than 64 Mi bytes; "
                                        "to allow more: --limit output=NUMBER")

    def test_each_limit_can_be_set(self):
        for option, reason in {
            "output=1M": "the run's programs wrote more than 1 Mi bytes",
            "events=20": "the run recorded more than 20 events",
            "faults=10": "the run had more than 10 faults at once",
            "programs=7": "the run started more than 7 programs",
            "memory=1M": "the run used more than 1 Mi bytes of memory",
        }.items():
            with self.subTest(option):
                name = option.split("=", maxsplit=1)[0]
                self.assertIn(f"{reason}; to allow more: --limit {name}=NUMBER",
                              self.broken("--limit", "output=0", "--limit", option))

    def test_the_timeout_says_what_was_awaited(self):
        self.assertEqual(
            self.broken("--limit", "output=0", "--timeout", "1"),
            "the run took longer than 1 s, while it waited for: kang's yes exits, within 60 s; "
            "to allow more: --timeout SECONDS")

    def test_a_wrong_limit_is_refused(self):
        with lab.Folder() as out:
            for wrong in ("output", "output=", "output=1T", "outputs=1", "output=-1"):
                run = lab.Run("uses-too-much.lua", out, "--limit", wrong)
                self.assertEqual(run.status, 2, run.said())
                self.assertIn(f"--limit {wrong}: write NAME=NUMBER", run.errors)


if __name__ == "__main__":
    lab.main()
