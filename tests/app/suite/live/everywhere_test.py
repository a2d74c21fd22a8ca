#!/usr/bin/env python3
"""Runs scenarios as root and as an ordinary user, with TAP devices and with veth pairs. Every
scenario passes everywhere, with three exceptions: only root can read the kernel's tracepoints, only
root can run sshd and PostgreSQL, and only TAP devices have segmentation offload. A scenario whose
program is not installed is skipped.
The fixture `catalogue` (tests/CMakeLists.txt) runs the whole catalogue as root with TAP devices.
That takes minutes. So here an ordinary user runs all of it on IPv4 with veth pairs, and the other
two pairs run two topics. In ./test --all, everything runs everywhere, on both families."""
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
IS_WHOLE = "TCPLAB_TEST_ALL" in os.environ
SOME = () if IS_WHOLE else ("puzzlers", "segments")
ONE_FAMILY = () if IS_WHOLE else ("--family", "4")
# An ordinary user's runs have no real-time priority: many at once would delay each other's frames.
AT_ONCE = "2"


@unittest.skipIf(os.geteuid() != 0, "only root can be both users")
class Everywhere(OrdinaryUser):
    def setUp(self):
        super().setUp()
        self.results = self.home / "results.json"

    def command(self, topics):
        return ["run", *topics, "--jobs", AT_ONCE, "--out", self.home / "runs",
                "--results", self.results]

    @staticmethod
    def names(topics):
        """Returns the names of the scenarios of the topics; of all, if there are none."""
        listed = subprocess.run([lab.TCPLAB, "list", "--json", *topics], text=True,
                                capture_output=True, check=True)
        return [scenario["name"] for scenario in json.loads(listed.stdout)["scenarios"]]

    def passes(self, run, topics, skips):
        """Checks that no scenario failed, and that only those that match `skips` were skipped."""
        text = lab.troubles(run.stdout)[-12000:] + run.stderr[-2000:]
        self.assertEqual(run.returncode, 0, text)
        names = self.names(topics)
        runs = json.loads(self.results.read_text())["results"]
        skipped = [run for run in runs if run["outcome"] == "skipped"]
        others = {run["name"] for run in skipped if not re.search(MISSING_PROGRAM, run["reason"])}
        self.assertEqual(sorted(others), sorted(name for name in names
                                                if re.fullmatch(skips, name)))
        self.assertEqual({run["name"] for run in runs}, set(names))
        passed = {run["name"] for run in runs if run["outcome"] == "passed"}
        self.assertGreater(len(passed), 0.8 * len(names))

    def test_as_an_ordinary_user_on_veth_pairs(self):
        run = self.as_user(*self.command(()), *ONE_FAMILY, node="0600")
        self.passes(run, (), f"{OFFLOAD}|{FOR_ROOT}")

    def test_as_an_ordinary_user_on_taps(self):
        run = self.as_user(*self.command(SOME), node="0666")
        self.passes(run, SOME, FOR_ROOT)

    def test_as_root_on_veth_pairs(self):
        run = subprocess.run([lab.TCPLAB, *self.command(SOME)], text=True, capture_output=True,
                             check=False, env={**os.environ, "TCPLAB_PORTS": "veth"})
        self.passes(run, SOME, OFFLOAD)


if __name__ == "__main__":
    lab.main()
