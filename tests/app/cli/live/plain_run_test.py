#!/usr/bin/env python3
"""Checks what `tcplab run` prints of one scenario, of many, and of failures."""
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True
import lab

PASSES = ('return { title = "It passes", asks = "Why?", here = "Because.", run = function(lab)\n'
          '  lab:pair()\nend }')
FAILS = ('return { title = "It fails", asks = "Why?", run = function(lab)\n'
         '  local kang, kodos = lab:pair()\n  lab:connect(kang, kodos)\n'
         '  lab:expect_between(300, 1, 2, "three")\nend }')


class PlainRun(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in {"one": PASSES, "two": PASSES, "bad": FAILS}.items():
            (self.folder / f"{name}.lua").write_text(text)

    def run_them(self, *arguments):
        done = subprocess.run([lab.TCPLAB, "run", "--family", "4", *arguments],
                              capture_output=True, text=True, cwd=self.folder, timeout=300,
                              check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_one_scenario_is_told_in_full(self):
        status, out = self.run_them("one.lua")
        self.assertEqual(status, 0)
        self.assertIn("It passes\n", out)
        self.assertNotIn("is left out", out)

    def test_many_scenarios_end_with_a_summary(self):
        status, out = self.run_them("one.lua", "two.lua")
        self.assertEqual(status, 0)
        self.assertNotIn("It passes\n", out)
        self.assertIn("\n2 passed, 0 failed, 0 skipped in ", out)
        self.assertEqual(out.count("What happened in the runs that passed is left out"), 1)

    def test_failures_of_many_are_told_in_full(self):
        status, out = self.run_them("one.lua", "bad.lua")
        self.assertEqual(status, 1)
        self.assertEqual(out.count("The last events of kang and kodos"), 1)
        self.assertEqual(out.count("What happened in the runs that passed is left out"), 1)

    def test_a_failing_live_run_draws_the_ladder_once(self):
        status, out = self.run_them("bad.lua", "--live")
        self.assertEqual(status, 1)
        self.assertEqual(out.count("ESTABLISHED"), out.split("failed in")[0].count("ESTABLISHED"))
        self.assertNotIn("The last events of", out)
        self.assertIn("expected  three", out)
        self.assertRegex(out, r"\n  seen      ")
        self.assertIn("The last events of",
                      (self.folder / "runs/bad-ipv4/failure.txt").read_text(encoding="utf-8"))

    def test_junit_says_when_and_where(self):
        self.run_them("one.lua", "bad.lua", "--junit", "j.xml")
        suite = xml.parse(self.folder / "j.xml").getroot().find("testsuite")
        self.assertRegex(suite.get("timestamp"), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertTrue(suite.get("hostname"))
        cases = {case.get("classname"): case for case in suite.findall("testcase")}
        self.assertEqual(cases["tcplab.one"].get("file"), "one.lua")
        bad = cases["tcplab.bad"]
        self.assertEqual((bad.get("file"), bad.get("line")), ("bad.lua", "4"))


if __name__ == "__main__":
    lab.main()
