#!/usr/bin/env python3
"""A run that uses most of its processor gives up its real-time priority (sched(7)), so that its
neighbours can run. It takes the priority back when it uses less."""
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

POLICIES = {os.SCHED_RR: "real-time", os.SCHED_OTHER: "ordinary"}


def children(pid):
    """Returns the children of a process; none if it has ended."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []


def policy(pid):
    """Returns the scheduling policy of a process, or None if it has ended."""
    try:
        return POLICIES.get(os.sched_getscheduler(int(pid)) & ~os.SCHED_RESET_ON_FORK)
    except ProcessLookupError:
        return None


def may_be_real_time():
    try:
        subprocess.run(["chrt", "--rr", "1", "true"], check=True, stderr=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        return False
    return True


class Priority(unittest.TestCase):
    def policies(self, script):
        """Returns the policies that the process of a run had, one after another, from the first
        time that it was real-time."""
        seen = []
        with lab.Folder() as out:
            with open(out / "output", "w+", encoding="utf-8") as output:
                run = subprocess.Popen(
                    [lab.TCPLAB, "run", lab.SCRIPTS / script, "--family", "4", "--out", out],
                    stdout=output, stderr=output)
                while run.poll() is None:
                    now = next(map(policy, children(run.pid)), None)  # it may just end
                    if now and now != (seen[-1] if seen else "ordinary"):
                        seen.append(now)
                    time.sleep(0.005)
                output.seek(0)
                self.assertEqual(run.returncode, 0, output.read())
        return seen

    def setUp(self):
        lab.need("chrt")
        if not may_be_real_time():
            self.skipTest("needs real-time priority (CAP_SYS_NICE or RLIMIT_RTPRIO)")

    def test_a_busy_run_gives_way_and_a_run_at_rest_takes_its_priority_back(self):
        seen = self.policies("computes.lua")
        self.assertEqual(seen[:3], ["real-time", "ordinary", "real-time"])

    def test_a_quiet_run_keeps_its_priority(self):
        seen = self.policies("keeps-talking.lua")
        # It is ordinary for its reports, at the end, which may be over when this test looks.
        self.assertIn(seen, (["real-time"], ["real-time", "ordinary"]))


if __name__ == "__main__":
    lab.main()
