#!/usr/bin/env python3
"""Checks `tcplab shell --kernel`: on kernel hosts, hours pass in a line, and no time passes between
the lines."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

LINES = """server = kodos:dnc("-l", 8080)
client = kang:dnc(kodos, 8080)
lab:expect(client):in_state "ESTABLISHED"
kodos:power_off()
client:type "are you there?\\n"
lab:expect(client):within(2000):call("read"):fails "ETIMEDOUT"
lab:now()
lab:wait(7200)
lab:now()
save mine.lua
"""


@guests.needs_kernel
class KernelShell(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)

    def tcplab(self, *arguments, text=""):
        return subprocess.run([lab.TCPLAB, *arguments, "--kernel", "6.1", "--timers", "stock"],
                              input=text, capture_output=True, text=True, timeout=300,
                              cwd=self.folder, check=False)

    def test_a_quarter_of_an_hour_and_two_hours_are_typed(self):
        done = self.tcplab("shell", text=LINES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        first, second = [float(time) for time in re.findall(r"^= ([\d.]+)$", done.stdout, re.M)]
        self.assertTrue(924.6 <= first <= 1.125 * 924.6, done.stdout)  # tcp_retries2, ip-sysctl
        self.assertTrue(7200 <= second - first < 7201, done.stdout)
        run = self.tcplab("run", Path(self.folder, "mine.lua"), "--family", "4")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_time_stands_still_between_the_lines(self):
        """The shell waits between lines until nothing happens for a while."""
        done = self.tcplab("shell", text="lab:now()\n" * 5)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        times = [float(time) for time in re.findall(r"^= ([\d.]+)$", done.stdout, re.M)]
        self.assertEqual(len(times), 5, done.stdout)
        self.assertLess(times[4] - times[0], 0.05, times)


if __name__ == "__main__":
    unittest.main(verbosity=2)
