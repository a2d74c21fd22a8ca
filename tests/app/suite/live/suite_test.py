#!/usr/bin/env python3
"""Checks the suite options for CI: shards, random order with a seed, a limit of failures, and the
answer to SIGUSR1."""
import fcntl
import json
import mmap
import os
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
import schemas

PASSES = 'return { title = "t", asks = "?", tags = { "%s" }, run = function(lab) end }'
FAILS = ('return { title = "t", asks = "?", run = function(lab)\n'
         '  lab:expect_between(300, 1, 2, "three")\nend }')
WAITS = 'return { title = "t", asks = "?", run = function(lab) lab:wait(lab.hour) end }'
# Two of the programs wait for the processor of their run at any time.
BURNS = ('return { title = "t", asks = "?", run = function(lab)\n'
         '  local kang = lab:hosts { "kang" }\n'
         '  for _ = 1, 3 do kang:run("sh", "-c", "while :; do :; done") end\n'
         '  lab:wait(lab.hour)\nend }')
SKIPS = 'return { title = "t", asks = "?", needs = { "kernel 99.0" }, run = function(lab) end }'


class Suite(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "toys").mkdir()

    def write(self, **scripts):
        for name, text in scripts.items():
            (self.folder / "toys" / f"{name}.lua").write_text(text)

    def command(self, *options):
        return [lab.TCPLAB, "run", "toys", *options]

    def suite(self, *options):
        """Returns the results as JSON, and the finished process."""
        done = subprocess.run(self.command("--json", *options), capture_output=True, text=True,
                              cwd=self.folder, timeout=300, check=False,
                              env={**os.environ, "GITHUB_ACTIONS": ""})
        try:
            return schemas.checked(done.stdout), done
        except json.JSONDecodeError:
            self.fail(f"exit {done.returncode}\n{done.stdout}\n{done.stderr}")


def pending(pid):
    """Returns the pending signals of a process (proc_pid_status(5))."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^ShdPnd:\s*(\w+)", status, re.M)[1], 16)


def runs(document, outcome=None):
    return [(one["name"], one["variant"]) for one in document["results"]
            if outcome in (None, one["outcome"])]


class Shards(Suite):
    def test_shards_make_up_the_suite(self):
        self.write(**{f"toy-{i}": PASSES % "toy" for i in range(6)})
        whole, _ = self.suite()
        self.assertEqual(len(runs(whole)), 12)
        parts = []
        for index in (1, 2, 3):
            part, done = self.suite("--shard", f"{index}/3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(len(runs(part)), 0)
            parts += runs(part)
        self.assertEqual(sorted(parts), sorted(runs(whole)))

    def test_an_empty_shard_passes(self):
        self.write(only=PASSES % "toy")
        sizes = []
        for index in (1, 2, 3):
            part, done = self.suite("--shard", f"{index}/3", "--family", "4", "--junit", "j.xml")
            self.assertEqual(done.returncode, 0)
            sizes.append(len(runs(part)))
            self.assertIn(f'tests="{sizes[-1]}"', (self.folder / "j.xml").read_text())
        self.assertEqual(sorted(sizes), [0, 0, 1])


class Order(Suite):
    def test_a_seed_repeats_the_order(self):
        self.write(**{f"toy-{i}": PASSES % "toy" for i in range(6)})
        first, done = self.suite("--shuffle", "--jobs", "1")
        seed = re.search(r"^Random order; to repeat it: --shuffle --seed (\d+)$", done.stderr,
                         re.MULTILINE)[1]
        again, done = self.suite("--shuffle", "--seed", seed, "--jobs", "1")
        self.assertIn(f"--seed {seed}", done.stderr.splitlines()[-1])
        self.assertEqual(runs(again), runs(first))
        orders = {tuple(runs(self.suite("--shuffle", "--seed", seed)[0])) for seed in "123"}
        self.assertGreater(len(orders), 1)


class Failures(Suite):
    def test_fail_fast_stops_at_the_first_failure(self):
        self.write(**{"a-fails": FAILS, "b-waits": WAITS, "c-passes": PASSES % "toy"})
        document, done = self.suite("--fail-fast", "--jobs", "2", "--family", "4")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(runs(document), [("a-fails", "IPv4, fast")])
        self.assertIn("0 passed, 1 failed, 0 skipped, 2 not run in", done.stderr)

    def test_max_fail_stops_at_the_nth_failure(self):
        self.write(**{"a-fails": FAILS, "b-skips": SKIPS, "c-fails": FAILS, "d": PASSES % "toy"})
        document, done = self.suite("--max-fail", "2", "--jobs", "1", "--family", "4")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([name for name, _ in runs(document)], ["a-fails", "b-skips", "c-fails"])
        self.assertIn("1 not run", done.stderr)

    def test_without_a_limit_all_runs_start(self):
        self.write(**{"a-fails": FAILS, "b-fails": FAILS})
        document, done = self.suite("--jobs", "1")
        self.assertEqual(len(runs(document, "failed")), 4)
        self.assertNotIn("not run", done.stderr)


class Asked(Suite):
    def test_sigusr1_prints_the_current_runs(self):
        self.write(**{"a-waits": WAITS, "b-waits": WAITS})
        suite = subprocess.Popen(self.command("--jobs", "1", "--family", "4"), cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertEqual(self.answer(suite)[0],
                             "tcplab: state: 0 of 2 done, 1 running, 1 not started\n")
            lab.wait_for(lambda: "to pass" in self.answer(suite)[1])
            self.assertRegex(self.answer(suite)[1], r"^tcplab: a-waits \(IPv4, fast\), pid \d+, "
                             r"for .*, waits for: .* to pass$")
            suite.send_signal(signal.SIGINT)
            out, _ = suite.communicate(timeout=60)
            self.assertEqual(suite.returncode, 128 + signal.SIGINT)
            self.assertIn("0 passed, 0 failed, 0 skipped, 2 not run", out)
        finally:
            suite.kill()

    def test_fewer_runs_start_while_programs_wait_for_a_processor(self):
        self.write(**{"a-waits": WAITS, "b-burns": BURNS, "c-waits": WAITS, "d-waits": WAITS})
        states = self.folder / "states"

        def is_careful():
            suite.send_signal(signal.SIGUSR1)
            return "at most 2 at once for now" in states.read_text()

        with open(states, "w", encoding="utf-8") as errors, \
                subprocess.Popen(self.command("--jobs", "3", "--family", "4"), cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=errors) as suite:
            try:
                # When the folder exists, the first run has started, and tcplab handles the signal.
                lab.wait_for((self.folder / "runs/a-waits-ipv4").exists)
                lab.wait_for(is_careful)
            finally:
                suite.kill()

    def test_a_signal_does_not_truncate_slow_output(self):
        """A blocked write continues after a signal, without loss or error."""
        self.write(waits=WAITS)
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, mmap.PAGESIZE)
        room = fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ)
        os.write(writer, b"\n" * room)
        suite = subprocess.Popen(self.command("--live", "--family", "4"), cwd=self.folder,
                                 stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        with open(reader, encoding="utf-8") as output, suite:
            try:
                waits_in = Path(f"/proc/{suite.pid}/wchan")
                lab.wait_for(lambda: "pipe_write" in waits_in.read_text())
                suite.send_signal(signal.SIGINT)
                lab.wait_for(lambda: not pending(suite.pid))
                text = output.read()
                self.assertEqual(suite.wait(60), 128 + signal.SIGINT, suite.stderr.read())
            finally:
                suite.kill()
        self.assertTrue(text.startswith("\n" * room))
        self.assertIn("IPv4 · fast timers", text[room:])

    def answer(self, suite):
        # When the folder exists, the first run has started, and tcplab handles the signal.
        lab.wait_for(lambda: (self.folder / "runs/a-waits-ipv4").exists())
        suite.send_signal(signal.SIGUSR1)
        return [suite.stderr.readline() for _ in range(2)]


if __name__ == "__main__":
    lab.main()
