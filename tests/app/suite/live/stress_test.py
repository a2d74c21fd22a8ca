#!/usr/bin/env python3
"""Runs scenarios with all processors busy. A flaky failure is a bug of the lab until
its cause is known. TCPLAB_STRESS is the number of repetitions; 3 by default."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

REPEATS = int(os.environ.get("TCPLAB_STRESS", "3"))
BUSY = [sys.executable, "-c", "while True: pass"]


class Stress(unittest.TestCase):
    def test_puzzlers_pass_under_load(self):
        load = [subprocess.Popen(BUSY) for _ in range(os.cpu_count() or 1)]
        try:
            with lab.Folder() as out:
                done = subprocess.run(
                    [lab.TCPLAB, "run", "puzzlers", "--repeat", str(REPEATS), "--out", out],
                    capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, lab.troubles(done.stdout) + done.stderr)
                self.assertIn(" 0 failed", done.stdout)
                print(done.stdout.strip().splitlines()[-4])
        finally:
            for process in load:
                process.kill()
                process.wait()

    def test_many_runs_start_at_once_on_veth_pairs(self):
        """Runs that wait for the kernel's RTNL lock must not keep programs off the processors."""
        if os.geteuid() != 0:
            self.skipTest("needs root: other users have no real-time priority")
        with lab.Folder() as out:
            done = subprocess.run(
                [lab.TCPLAB, "run", "local-link-down", "user-timeout-zero-window", "--family", "4",
                 "--repeat", "16", "--jobs", "32", "--out", out],
                capture_output=True, text=True, check=False,
                env={**os.environ, "TCPLAB_PORTS": "veth"})
            self.assertEqual(done.returncode, 0, lab.troubles(done.stdout) + done.stderr)


if __name__ == "__main__":
    lab.main()
