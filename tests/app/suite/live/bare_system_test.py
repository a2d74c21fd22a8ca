#!/usr/bin/env python3
"""Checks systems that lack something: hosts find each other by name without /etc/hosts, and a
missing dnc is named."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

NEEDED = ("passwd", "group", "nsswitch.conf", "ld.so.cache", "protocols", "services")
RUN = """
set -e
mount --make-rprivate /
mount --bind "$1" /etc
shift
exec "$@"
"""


WARMUP = Path(__file__).resolve().parents[4] / "scenarios/puzzlers/warmup.lua"


class BareSystem(unittest.TestCase):
    def test_a_missing_dnc_is_named(self):
        with lab.Folder() as alone, lab.Folder() as out:
            os.chmod(alone, 0o755)
            shutil.copy(lab.TCPLAB, alone)
            environment = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                           "TCPLAB_SCENARIOS": str(WARMUP.parents[1])}
            self.assertIsNone(shutil.which("dnc", path=environment["PATH"]))
            run = subprocess.run([alone / "tcplab", "run", WARMUP, "--family", "4", "--out", out],
                                 capture_output=True, text=True, env=environment, check=False)
            self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
            self.assertIn(f"dnc is neither in {alone} nor in PATH; put it beside tcplab, or "
                          "install both", " ".join(run.stdout.split()))

    def test_hosts_have_names_without_etc_hosts(self):
        trial = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
        if trial.returncode != 0:
            self.skipTest("mounting takes root")
        with lab.Folder() as etc, lab.Folder() as out:
            for name in NEEDED:
                if os.path.exists(f"/etc/{name}"):
                    shutil.copy(f"/etc/{name}", etc)
            os.chmod(etc, 0o755)
            wrap = ["unshare", "--mount", "sh", "-c", RUN, "sh", etc]
            run = lab.Run(WARMUP, out, wrap=wrap)
            self.assertEqual(run.status, 0, run.said())
            self.assertFalse((etc / "hosts").exists(), "nothing is left on the machine")


if __name__ == "__main__":
    lab.main()
