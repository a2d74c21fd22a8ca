#!/usr/bin/env python3
"""Checks that tcplab works for an ordinary user: on TAPs if /dev/net/tun can be opened, otherwise
on veth pairs. As root, this test runs tcplab as `nobody`."""
import os
import sys

sys.dont_write_bytecode = True
import lab
from users import TUN, OrdinaryUser


class Rootless(OrdinaryUser):
    def passes(self, kind, node):
        doctor = self.as_user("doctor", node=node)
        self.assertEqual(doctor.returncode, 0, doctor.stdout + doctor.stderr)
        self.assertIn("ordinary user", doctor.stdout)
        self.assertIn(f"NICs: {kind}", doctor.stdout)
        run = self.as_user("run", "puzzlers", "--out", self.home / "runs", node=node)
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)
        self.assertIn(" 0 failed, 0 skipped", run.stdout)

    def test_networks_and_firewalls_work(self):
        """Runs without sbin in PATH, as an ordinary user on Debian does."""
        if not any(os.access(f"{folder}/nft", os.X_OK) for folder in ("/usr/sbin", "/sbin")):
            self.skipTest("needs nft, which is not installed")
        run = self.as_user("run", "through-a-router", "firewall-forgets-and-resets",
                           "--out", self.home / "runs", env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)
        self.assertIn(" 0 failed, 0 skipped", run.stdout)

    def test_output_that_arrives_in_one_piece(self):
        """Without real-time priority, the run reads several lines of a program at once."""
        run = self.as_user("run", "urgent-inline", "--out", self.home / "runs")
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)

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
            self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)


if __name__ == "__main__":
    lab.main()
