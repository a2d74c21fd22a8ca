#!/usr/bin/env python3
"""A run whose lab stood still ends as broken, not with a verdict; time without a processor does not
count against a deadline."""
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

STOPPED = 2.5  # seconds: longer than the limit, and than the time between two keepalive probes


def child_of(pid):
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])


class Stall(unittest.TestCase):
    def stopped_run(self, env, script="keeps-talking"):
        """Starts a run, stops its process for a while, and returns its exit status and output."""
        with lab.Folder() as out:
            events = out / f"{script}-ipv4/events.jsonl"
            run = subprocess.Popen(
                [lab.TCPLAB, "run", lab.SCRIPTS / f"{script}.lua", "--family", "4", "--out",
                 out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, **env})
            lab.wait_for(lambda: events.exists() and '"established"' in events.read_text())
            worker = child_of(run.pid)
            os.kill(worker, signal.SIGSTOP)
            time.sleep(STOPPED)
            os.kill(worker, signal.SIGCONT)
            output = run.communicate(timeout=60)[0]
            return run.returncode, output

    def test_a_run_that_stood_still_is_broken(self):
        status, output = self.stopped_run({})
        self.assertEqual(status, 3, output)
        self.assertRegex(output, r"the lab stood still for 2\.\d+ s while a frame of k\w+ waited")
        self.assertIn("TCPLAB_SLACK", output)

    def test_a_run_that_stood_still_while_a_program_started_is_broken(self):
        status, output = self.stopped_run({}, "starts-while-it-talks")
        self.assertEqual(status, 3, output)
        self.assertRegex(output, r"the lab stood still for 2\.\d+ s while a frame of k\w+ waited")

    def test_a_longer_stall_can_be_allowed(self):
        status, output = self.stopped_run({"TCPLAB_SLACK": "60000"})
        self.assertEqual(status, 0, output)

    def test_the_wire_goes_on_while_a_script_starts_many_programs(self):
        with lab.Folder() as out:
            run = lab.Run("starts-many.lua", out)
            self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
