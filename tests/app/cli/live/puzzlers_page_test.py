#!/usr/bin/env python3
"""Runs the commands of docs/puzzlers.md again, and compares their output with the page."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

SOURCE = pathlib.Path(os.environ["TCPLAB_SOURCE"])
TOOL = SOURCE / "tools/puzzlers-page"
PAGE = (SOURCE / "docs/puzzlers.md").read_text(encoding="utf-8")


def load_tool():
    loader = importlib.machinery.SourceFileLoader("puzzlers_page", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Comparison(unittest.TestCase):
    differences = staticmethod(load_tool().differences)

    def test_the_page_equals_itself(self):
        self.assertEqual(self.differences(PAGE, PAGE), [])

    def test_times_and_ports_may_differ(self):
        other = PAGE.replace("passed in 1.", "passed in 7.").replace("  0.0", "  3.1")
        self.assertNotEqual(other, PAGE)
        self.assertEqual(self.differences(PAGE, other), [])

    def test_a_busy_machine_makes_no_difference(self):
        for end in (" · ", "\n          "):  # what was seen may need a line of its own
            with self.subTest(end):
                other = re.sub(r"( takes \S+ \w+ \(.*\)) · ", r"\1; 1.2 s less or more, because the"
                               rf" run\n          waited so long for a processor{end}", PAGE)
                self.assertNotEqual(other, PAGE)
                self.assertEqual(self.differences(PAGE, other), [])

    def test_a_timer_that_may_be_late_makes_no_difference(self):
        other = re.sub(r"( takes \S+ \w+ \(.*\)) · ",
                       r"\1, or, if a timer is late, 2.24 s (2.2 s to\n          2.5 s) · ", PAGE)
        self.assertNotEqual(other, PAGE)
        self.assertEqual(self.differences(PAGE, other), [])

    def test_a_call_may_take_one_line_or_two(self):
        # Something happened before these calls returned. Less room is left for the data then.
        for one, two in [("listen(4, 128) = 0", "listen(4) = 0     "),
                         ("… connect(4) = 0          ", "connect(4, kodos:8080) = 0"),
                         ('"kodos, are …"', '"kodos, ar…"  ')]:
            with self.subTest(one):
                other = PAGE.replace(one, two)
                self.assertNotEqual(other, PAGE)
                self.assertEqual(self.differences(PAGE, other), [])

    def test_the_behaviour_of_tcp_may_not_differ(self):
        for here, elsewhere in [("read(4) = -1 ECONNRESET  ", "read(4) = -1 ETIMEDOUT   "),
                                ("│ FIN_WAIT2\n", "│ CLOSING\n"), ("RST seq 1", "RST seq 2"),
                                ("ERR|HUP (0x18)", "ERR (0x18)"), ("wrote 22 bytes", "wrote 2"),
                                ('"kodos, are …"', '"where, are …"'),
                                ("SO_ERROR is EPIPE", "SO_ERROR is 0"), ("[RST] Seq=1", "[RST]")]:
            with self.subTest(here):
                other = PAGE.replace(here, elsewhere)
                self.assertNotEqual(other, PAGE)
                self.assertNotEqual(self.differences(PAGE, other), [])

    def test_the_text_between_commands_may_not_differ(self):
        self.assertNotEqual(self.differences(PAGE, PAGE.replace("make tea", "have coffee")), [])


class Page(unittest.TestCase):
    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_every_command_prints_what_the_page_shows(self):
        done = subprocess.run([TOOL, "--check"], capture_output=True, text=True, check=False,
                              timeout=280, env={**os.environ, "TCPLAB_BIN": str(lab.BIN)})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    lab.main()
