#!/usr/bin/env python3
"""Checks that the whole scenarios in docs/scenarios.md pass on an older kernel, or are skipped."""
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import examples
import guests
import lab


@guests.needs_kernel
class KernelExamples(unittest.TestCase):
    def test_each_example_passes_on_an_older_kernel(self):
        with lab.Folder() as folder:
            count = examples.write_examples(folder)
            done = subprocess.run([lab.TCPLAB, "run", folder, "--kernel", "6.1", "--family",
                                   "4"], text=True,
                                  capture_output=True, cwd=folder, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^\d+ passed, 0 failed")
        self.assertGreater(count, 5)


if __name__ == "__main__":
    lab.main()
