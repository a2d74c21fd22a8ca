#!/usr/bin/env python3
"""A run whose lab stood still ends as broken, not with a verdict; time without a processor does not
count against a deadline."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

STOPPED = 2.5  # seconds: longer than the limit, and than the time between two keepalive probes
LIMIT = 0.5  # TCPLAB_SLACK


def children_of(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in children.split()]


def named(name, processes):
    return next(pid for pid in processes
                if Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == name)


def has_said(folder, words):
    events = folder / "events.jsonl"
    return events.exists() and f'"{words}"' in events.read_text(encoding="utf-8")


def stop_for(process, seconds):
    os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(process, signal.SIGCONT)


class Stall(unittest.TestCase):
    def stopped_run(self, env, script="keeps-talking"):
        """Starts a run, stops its process for a while, and returns its exit status and output."""
        with lab.Folder() as out:
            run = subprocess.Popen(
                [lab.TCPLAB, "run", lab.SCRIPTS / f"{script}.lua", "--family", "4", "--out",
                 out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, **env})
            lab.wait_for(lambda: has_said(out / f"{script}-ipv4", "established"))
            stop_for(children_of(run.pid)[0], STOPPED)
            output = run.communicate(timeout=60)[0]
            return run.returncode, output

    def assert_stood_still(self, status, output):
        """A busy machine lets the run go on later than it could."""
        self.assertEqual(status, 3, output)
        told = re.search(r"the lab stood still for ([\d.]+) s while a frame of k\w+ waited", output)
        self.assertIsNotNone(told, output)
        self.assertGreater(float(told[1]), STOPPED - LIMIT)
        self.assertIn("TCPLAB_SLACK", output)

    def test_a_run_that_stood_still_is_broken(self):
        self.assert_stood_still(*self.stopped_run({}))

    def test_a_run_that_stood_still_while_a_program_started_is_broken(self):
        self.assert_stood_still(*self.stopped_run({}, "starts-while-it-talks"))

    def test_a_run_that_stood_still_beside_others_runs_again_alone(self):
        with lab.Folder() as out:
            (out / "results.json").touch()
            run = subprocess.Popen(
                [lab.TCPLAB, "run", lab.SCRIPTS / "keeps-talking.lua", "--out", out, "--results",
                 out / "results.json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            lab.wait_for(lambda: all(
                has_said(out / f"keeps-talking-ipv{family}", "established") for family in "46"))
            stopped = children_of(run.pid)[0]
            stop_for(stopped, STOPPED)
            output = run.communicate(timeout=60)[0]
            self.assertEqual(run.returncode, 0, output)
            self.assertIn("2 passed", output)
            self.assertRegex(output,
                             r"run a second time, alone: keeps-talking \(IPv\d.*stood still")
            results = json.loads((out / "results.json").read_text(encoding="utf-8"))["results"]
            self.assertEqual(["stalled" in each for each in results].count(True), 1, results)

    def test_the_wire_goes_on_while_a_program_waits_to_be_recorded(self):
        with lab.Folder() as out:
            run = subprocess.Popen(
                [lab.TCPLAB, "run", lab.SCRIPTS / "starts-beside-a-stopped-watcher.lua",
                 "--family", "4", "--out", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True)
            lab.wait_for(lambda: has_said(out / "starts-beside-a-stopped-watcher-ipv4",
                                          "starts next"))
            worker = children_of(run.pid)[0]
            watcher = named("tcplab watcher", children_of(worker))
            gate = named("sh", children_of(worker))
            os.kill(watcher, signal.SIGSTOP)
            os.kill(gate, signal.SIGTERM)
            time.sleep(STOPPED)
            os.kill(watcher, signal.SIGCONT)
            output = run.communicate(timeout=60)[0]
            self.assertEqual(run.returncode, 0, output)

    def test_the_wire_goes_on_while_programs_with_many_threads_end(self):
        with lab.Folder() as out:
            run = lab.Run("threads-end.lua", out)
            self.assertEqual(run.status, 0, run.said())

    def test_a_longer_stall_can_be_allowed(self):
        status, output = self.stopped_run({"TCPLAB_SLACK": "60000"})
        self.assertEqual(status, 0, output)

    def test_the_wire_goes_on_while_a_script_starts_many_programs(self):
        with lab.Folder() as out:
            run = lab.Run("starts-many.lua", out)
            self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
