#!/usr/bin/env python3
"""Runs the whole catalogue, on both families, as root and as an ordinary user, with TAP devices and
with veth pairs. Every scenario passes everywhere, with three exceptions: only root can read the
kernel's tracepoints, only root can run sshd and PostgreSQL, and only TAP devices have segmentation
offload. A scenario whose program is not installed is skipped.
The fixture `catalogue` (tests/CMakeLists.txt) does so as root with TAP devices."""
import json
import os
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from users import OrdinaryUser

# sshd is root's. PostgreSQL refuses to be root, and needs a second user.
FOR_ROOT = ("why-the-kernel-drops-it|"
            "(ssh|psql|postgres|cockroach-lib-pq|pgbouncer|pgjdbc|psycopg2)-.*")
OFFLOAD = "segmentation-offload"
MISSING_PROGRAM = "not installed|needs a JDK"


@unittest.skipIf(os.geteuid() != 0, "only root can be both users")
class Everywhere(OrdinaryUser):
    def setUp(self):
        super().setUp()
        self.results = self.home / "results.json"

    def command(self):
        return ["run", "--out", self.home / "runs", "--results", self.results]

    def names(self, pattern):
        """Returns the scenarios of the catalogue whose whole name matches."""
        listed = subprocess.run([lab.TCPLAB, "list", "--json"], text=True, capture_output=True,
                                check=True)
        names = (scenario["name"] for scenario in json.loads(listed.stdout))
        return sorted(name for name in names if re.fullmatch(pattern, name))

    def passes(self, run, expected_skips):
        text = lab.troubles(run.stdout)[-12000:] + run.stderr[-2000:]
        self.assertEqual(run.returncode, 0, text)
        counts = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped", run.stdout)
        self.assertGreater(int(counts[1]), 600)
        runs = json.loads(self.results.read_text())["results"]
        skipped = [run for run in runs if run["outcome"] == "skipped"]
        self.assertEqual(int(counts[3]), len(skipped))
        others = {run["name"] for run in skipped if not re.search(MISSING_PROGRAM, run["reason"])}
        self.assertEqual(sorted(others), self.names(expected_skips))

    def test_as_root_on_veth_pairs(self):
        run = subprocess.run([lab.TCPLAB, *self.command()], text=True,
                             capture_output=True, check=False,
                             env={**os.environ, "TCPLAB_PORTS": "veth"})
        self.passes(run, OFFLOAD)

    def test_as_an_ordinary_user_on_taps(self):
        run = self.as_user(*self.command(), node="0666")
        self.passes(run, FOR_ROOT)

    def test_as_an_ordinary_user_on_veth_pairs(self):
        run = self.as_user(*self.command(), node="0600")
        self.passes(run, f"{OFFLOAD}|{FOR_ROOT}")


if __name__ == "__main__":
    lab.main()
