#!/usr/bin/env python3
"""Checks that a program sees what a script injects into its calls, and that every view says so."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

CASES = ("errors", "short", "delays", "where", "refused")


def tcplab(*arguments):
    done = subprocess.run([lab.TCPLAB, *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


class Injected(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lab.need("python3")
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        cls.run_ = lab.Run("injected.lua", cls.out.name)

    def folder(self, case):
        return Path(self.out.name, f"injected-{case}-ipv4")

    def test_a_program_sees_exactly_what_is_injected(self):
        self.assertEqual(self.run_.status, 0, self.run_.said())
        self.assertIn(f"{len(CASES)} passed", self.run_.said())

    def test_on_ipv6(self):
        with lab.Folder() as out:
            run = lab.Run("injected.lua", out, family="6")
            self.assertEqual(run.status, 0, run.said())

    def test_every_view_marks_it(self):
        folder = self.folder("errors")
        shown = tcplab("show", folder)
        self.assertRegex(shown, "-1 EINTR .*\n.* injected ")
        self.assertIn("inject python3: recv fails with EINTR, call 2", shown)
        self.assertIn("remove python3: recv fails with EIO", shown)
        transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
        self.assertRegex(transcript, "-1 EINTR.*\n.* injected")
        pages = Path(self.out.name, "pages")
        tcplab("report", folder, "--html", pages)
        page = next(pages.glob("*errors*.html")).read_text(encoding="utf-8")
        self.assertRegex(re.sub("<[^>]*>", " ", page), r"-1 EINTR\s[\s\d.]+kang: injected\s")
        delayed = tcplab("show", self.folder("delays"))
        self.assertIn("injected delay of 300.0 ms", delayed)
        differences = tcplab("diff", folder, self.folder("short"))
        self.assertIn("fails EINTR, injected", differences)

    def test_only_changed_calls_are_marked(self):
        self.run_.folder = self.folder("short")
        marked = [(event["call"], event["result"]) for event in self.run_.events("call")
                  if event.get("injected")]
        self.assertEqual(marked, [("sendto", 3), ("writev", 5), ("sendmsg", 3), ("recvfrom", 1)])


if __name__ == "__main__":
    lab.main()
