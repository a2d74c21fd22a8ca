#!/usr/bin/env python3
"""Compiles the files that differ from processor to processor for the one that we do not run on.

Numbers and registers of system calls differ. Debian's cross compiler has the kernel's headers of
the other processor."""
import platform
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from shutil import which

import include_rule
import skips

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = {"aarch64": "aarch64-linux-gnu-g++-12", "x86_64": "x86_64-linux-gnu-g++-12"}
OTHERS = sorted(set(COMPILERS) - {platform.machine()})
# libfmt and others have headers without code of a processor; headers of the C library do not count.
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}", "-I/usr/include"]


def differing():
    """Returns the sources with a part for one processor."""
    sources = [file for room in include_rule.TOP_FOLDERS for file in (ROOT / room).rglob("*.cc")]
    return [file for file in sources
            if re.search(r"\b__(aarch64|x86_64)__\b", file.read_text(encoding="utf-8"))]


class Architectures(unittest.TestCase):
    def test_some_files_differ(self):
        self.assertIn(ROOT / "capture/calls/call_registers.cc", differing())

    def test_each_of_them_compiles_for_the_other_processor(self):
        for other in OTHERS:
            compiler = COMPILERS[other]
            if not which(compiler):
                self.skipTest(f"{compiler} is not installed")
            for file in differing():
                with self.subTest(processor=other, file=str(file.relative_to(ROOT))):
                    self.compile(compiler, file)

    def compile(self, compiler, file):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([compiler, *FLAGS, "-c", file, "-o", f"{folder}/object"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    skips.main()
