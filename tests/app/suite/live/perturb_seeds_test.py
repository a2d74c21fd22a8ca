#!/usr/bin/env python3
"""Runs the whole catalogue on both families with ten seeds of --perturb. It takes an hour."""
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

SEEDS = range(1, 11)


class PerturbSeeds(unittest.TestCase):
    def test_the_catalogue_passes_with_every_seed(self):
        for seed in SEEDS:
            with self.subTest(seed=seed), lab.Folder() as folder:
                done = subprocess.run([lab.TCPLAB, "run", f"--perturb={seed}", "--out", folder],
                                      text=True, capture_output=True, check=False)
                self.assertEqual(done.returncode, 0,
                                 lab.troubles(done.stdout)[-12000:] + done.stderr[-2000:])


if __name__ == "__main__":
    lab.main()
