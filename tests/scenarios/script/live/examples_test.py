#!/usr/bin/env python3
"""Checks that each whole scenario in docs/scenarios.md passes on IPv4 and IPv6."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab

PAGE = pathlib.Path(os.environ["TCPLAB_SOURCE"]) / "docs/scenarios.md"


class TheExamples(unittest.TestCase):
    def test_each_example_passes(self):
        examples = re.findall(r"```lua\n(return \{.*?)```", PAGE.read_text(), re.S)
        self.assertGreater(len(examples), 5)
        with lab.Folder() as folder:
            for number, example in enumerate(examples):
                (folder / f"example-{number}.lua").write_text(example)
            done = subprocess.run([lab.TCPLAB, "run", folder, "--out", folder / "runs"], text=True,
                                  capture_output=True, cwd=folder, timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    lab.main()
