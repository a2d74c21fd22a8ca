#!/usr/bin/env python3
"""Checks that `tcplab site DIR WHICH` runs scenarios, shows them, and tells whether they passed."""
import os
import re
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from links import broken_in_pages

FAILS = 'return { title = "t", asks = "?", run = function(lab) lab:check(false, "never") end }'
SKIPS = ('return { title = "t", asks = "?", needs = { "program no-such-program" }, '
         "run = function(lab) end }")
WAITS = 'return { title = "t", asks = "?", run = function(lab) lab:wait(60 * lab.second) end }'


class SiteOfRuns(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = folder.__enter__()

    def script(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def site(self, *which):
        return subprocess.run([lab.TCPLAB, "site", "site", *which], cwd=self.folder,
                              capture_output=True, text=True, timeout=300, check=False)

    def hidden(self):
        return [name for name in os.listdir(self.folder) if name.startswith(".")]

    def test_runs_on_both_families_have_pages_and_files(self):
        done = self.site("warmup", "keepalive-per-socket")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 passed, 0 failed", done.stdout)
        self.assertTrue(done.stdout.endswith("site/index.html\n"))
        site = self.folder / "site"
        for family in (4, 6):
            for file in (f"warmup-ipv{family}.html", f"warmup-ipv{family}/capture.pcapng"):
                self.assertTrue((site / "scenarios" / file).is_file(), file)
        self.assertEqual(broken_in_pages(site), [])
        self.assertIn("../scenarios/keepalive-per-socket-ipv4.html",
                      (site / "docs/options.html").read_text())
        self.assertFalse((site / "runs").exists())
        self.assertEqual(self.hidden(), [])

    def test_slides_show_the_runs_of_their_topic_in_the_order_of_the_names(self):
        done = self.site("warmup", "keepalive-per-socket", "power-cycle", "--slides", "puzzlers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("6 passed, 0 failed", done.stdout)
        self.assertEqual(broken_in_pages(self.folder / "site"), [])
        slides = (self.folder / "site/slides/puzzlers.html").read_text()
        self.assertEqual(re.findall('<section class="slide question" id="([^"]*)"', slides),
                         ["warmup", "power-cycle"])

    def test_slides_alone_run_only_their_topic(self):
        done = self.site("--slides", "windows", "--slides", "keepalive")
        self.assertEqual(done.returncode, 0, done.stderr)
        topics = re.findall('<section class="topic" aria-label="([^"]*)"',
                            (self.folder / "site/scenarios/index.html").read_text())
        self.assertEqual(sorted(topics), ["keepalive", "windows"])
        self.assertEqual(sorted(os.listdir(self.folder / "site/slides")),
                         ["keepalive.html", "windows.html"])

    def test_a_failure_is_shown_and_fails_the_command(self):
        done = self.site(self.script("fails.lua", FAILS))
        self.assertEqual(done.returncode, 1, done.stderr)
        page = (self.folder / "site/scenarios/fails-ipv4.html").read_text()
        self.assertIn("Failed expectations", page)

    def test_an_older_site_stays_if_nothing_runs(self):
        self.assertEqual(self.site("warmup").returncode, 0)
        done = self.site(self.script("skips.lua", SKIPS))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("site is not written: every scenario was skipped", done.stderr)
        self.assertTrue((self.folder / "site/scenarios/warmup-ipv4.html").exists())
        self.assertEqual(self.hidden(), [])

    def test_an_interrupt_leaves_nothing(self):
        self.script("waits.lua", WAITS)
        with subprocess.Popen([lab.TCPLAB, "site", "site", "waits.lua"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not list(self.folder.glob(".site.new-*/runs/*/events.jsonl")):
                self.assertIsNone(process.poll())
                os.sched_yield()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(os.listdir(self.folder), ["waits.lua"])


if __name__ == "__main__":
    lab.main()
