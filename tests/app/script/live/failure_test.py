#!/usr/bin/env python3
"""Checks the report of a failed expectation: the line of the script, what was expected, what was
seen, the nearest event, and the last events of both hosts."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab


class Failure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.out = lab.Folder()
        cls.addClassCleanup(cls.out.cleanup)
        cls.run_ = lab.Run("expectation-fails.lua", cls.out.name, "--junit", "junit.xml")
        cls.text = (cls.run_.folder / "failure.txt").read_text(encoding="utf-8")

    def test_the_exit_status_is_1(self):
        self.assertEqual(self.run_.status, 1, self.run_.said())

    def test_the_report_has_the_line_and_what_was_expected_seen_and_nearest(self):
        self.assertIn("expectation-fails.lua:11", self.text)
        self.assertIn('lab:expect(server):within(1):call("read"):returns(7)', self.text)
        for word, what in (("expected", "read returns 7, within 1 s"),
                           ("seen", "it waits in poll("), ("nearest", "read(5) = 6")):
            line = next(line for line in self.text.splitlines() if line.strip().startswith(word))
            self.assertIn(what, line)

    def test_the_report_shows_the_last_events_of_both_hosts(self):
        events = self.text[self.text.index("last events"):]
        head, *lines = events.splitlines()[1:]
        self.assertLess(head.index("kang"), head.index("kodos"))  # side by side
        kodos = head.index("kodos")
        self.assertTrue(any("write(4) = 6" in line[:kodos] for line in lines), events)
        self.assertTrue(any("read(5) = 6" in line[kodos:] for line in lines), events)
        self.assertTrue(any("data 6" in line for line in lines), events)

    def test_the_failure_is_on_the_terminal_and_in_junit(self):
        self.assertIn(self.text.strip().splitlines()[0], self.run_.output)
        with open(self.out.name + "/junit.xml", encoding="utf-8") as junit:
            self.assertIn("read returns 7", junit.read())


class KernelEvents(unittest.TestCase):
    """An expectation about a kernel says what the kernel has reported instead."""

    SCRIPT = """return { title = "T", asks = "Q?", needs = { "tracepoints" }, run = function(lab)
      local kang, kodos = lab:pair()
      %s
      lab:expect(kodos):within(0.2):kernel("drop", "TCP_OLD_SEQUENCE")
    end }"""

    def seen(self, line):
        with lab.Folder() as out:
            script = Path(out) / "kernel.lua"
            script.write_text(self.SCRIPT % line, encoding="utf-8")
            run = lab.Run(script, out)
            if run.status == 4:
                self.skipTest(run.said())
            text = (run.folder / "failure.txt").read_text(encoding="utf-8")
        return next(line for line in text.splitlines() if line.strip().startswith("seen"))

    def test_the_last_one_is_named(self):
        refused = 'lab:expect(kang:dnc(kodos, 8081)):call("connect"):fails "ECONNREFUSED"'
        self.assertIn("its kernel's last event: kodos's kernel", self.seen(refused))

    def test_a_kernel_without_any_is_said_to_have_none(self):
        self.assertIn("kodos's kernel has reported nothing", self.seen(""))


class NobodyListens(unittest.TestCase):
    """Checks that the wait for a listener ends when its program ends before it listens."""

    def test_a_port_in_use_is_named_as_the_reason(self):
        with lab.Folder() as out:
            run = lab.Run("port-in-use.lua", out)
            self.assertEqual(run.status, 1, run.said())
            text = (run.folder / "failure.txt").read_text(encoding="utf-8")
            self.assertIn("port-in-use.lua:8", text)
            self.assertIn("kodos's dnc-2 exited with status 1, after bind(4) = -1 EADDRINUSE", text)
            self.assertNotIn("within 5 s", text)
            (exited,) = [one for one in run.events("program") if one["change"] == "exited"]
            self.assertLess(run.events("verdict")[-1]["t"] - exited["t"], 4e9)


if __name__ == "__main__":
    lab.main()
