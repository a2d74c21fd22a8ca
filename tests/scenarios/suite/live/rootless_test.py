#!/usr/bin/env python3
"""Checks that tcplab works for an ordinary user: on TAPs if /dev/net/tun can be opened, otherwise
on veth pairs. As root, this test runs tcplab as `nobody`."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

NOBODY = 65534
TUN = "/dev/net/tun"
# Makes a device node with a given mode, in a private mount namespace.
NODE = f"mount -t tmpfs tmpfs /dev/net && mknod -m {{mode}} {TUN} c 10 200 && exec \"$@\""


class Rootless(unittest.TestCase):
    def setUp(self):
        """Makes a home for `nobody` with copies of the programs, because `nobody` may not be able
        to read the build."""
        self.home = Path(tempfile.mkdtemp(prefix="rootless"))
        self.addCleanup(shutil.rmtree, self.home, True)
        for program in ("tcplab", "dnc"):
            shutil.copy(lab.BIN / program, self.home)
        self.home.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.home, NOBODY, NOBODY)

    def as_user(self, *arguments, node=None, env=None):
        command = [self.home / "tcplab", *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                       *command]
        if node:
            command = ["unshare", "--mount", "sh", "-c", NODE.format(mode=node), "sh", *command]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.home, check=False,
                              env={**os.environ, "HOME": str(self.home), **(env or {})})

    def passes(self, kind, node):
        doctor = self.as_user("doctor", node=node)
        self.assertEqual(doctor.returncode, 0, doctor.stdout + doctor.stderr)
        self.assertIn("ordinary user", doctor.stdout)
        self.assertIn(f"NICs: {kind}", doctor.stdout)
        run = self.as_user("run", "puzzlers", "--out", self.home / "runs", node=node)
        self.assertEqual(run.returncode, 0, run.stdout[-6000:] + run.stderr)
        self.assertIn(" 0 failed, 0 skipped", run.stdout)

    def test_networks_and_firewalls_work(self):
        """Runs without sbin in PATH, as an ordinary user on Debian does."""
        if not any(os.access(f"{folder}/nft", os.X_OK) for folder in ("/usr/sbin", "/sbin")):
            self.skipTest("needs nft, which is not installed")
        run = self.as_user("run", "through-a-router", "firewall-forgets-and-resets",
                           "--out", self.home / "runs", env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(run.returncode, 0, run.stdout[-6000:] + run.stderr)
        self.assertIn(" 0 failed, 0 skipped", run.stdout)

    def test_output_that_arrives_in_one_piece(self):
        """Without real-time priority, the run reads several lines of a program at once."""
        run = self.as_user("run", "urgent-inline", "--out", self.home / "runs")
        self.assertEqual(run.returncode, 0, run.stdout[-6000:] + run.stderr)

    def test_runs_pass_on_veth_pairs(self):
        if os.geteuid() != 0 and os.access(TUN, os.R_OK | os.W_OK):
            self.skipTest(f"everybody may open {TUN} here")
        self.passes("veth pairs", "0600" if os.geteuid() == 0 else None)

    def test_runs_pass_on_taps(self):
        if os.geteuid() != 0 and not os.access(TUN, os.R_OK | os.W_OK):
            self.skipTest(f"{TUN} may not be opened, and only root can offer another")
        self.passes("TAP devices", "0666" if os.geteuid() == 0 else None)

    def test_a_program_that_fills_a_buffer_before_the_wire_runs(self):
        """Without a real-time priority the wire does not run between two writes of a program."""
        for node in ("0666", "0600") if os.geteuid() == 0 else (None,):
            run = self.as_user("run", "frozen-application", "--out", self.home / "runs", node=node)
            self.assertEqual(run.returncode, 0, run.stdout[-6000:] + run.stderr)


if __name__ == "__main__":
    lab.main()
