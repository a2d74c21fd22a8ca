#!/usr/bin/env python3
"""Checks that files have at most 400 lines, and lines at most 100 columns. A generated file, which
nobody reads from end to end, may be longer.

classes_test.py checks the size of classes, lint_test.sh that of functions (clang-tidy's
readability-function-size)."""
import subprocess
import unittest
from pathlib import Path

import skips

ROOT = Path(__file__).resolve().parents[2]
CODE = (".cc", ".hh", ".py", ".lua", ".sh", ".cmake", "CMakeLists.txt")
MOST_LINES = 400
MOST_COLUMNS = 100
HEAD = 10  # lines, in which a generated file says what it is made by


def tracked():
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    files = [ROOT / name for name in names.stdout.decode().split("\0") if name.endswith(CODE)]
    return [file for file in files if file.is_file()]  # git still lists uncommitted deletions


def too_long(lines):
    is_generated = any("do not edit" in line for line in lines[:HEAD])
    return len(lines) > MOST_LINES and not is_generated


def wide_lines(lines):
    return [number for number, line in enumerate(lines, 1) if len(line) > MOST_COLUMNS]


class Size(unittest.TestCase):
    def test_the_tree_has_files_to_measure(self):
        self.assertGreater(len(tracked()), 10)

    def test_the_limits_are_400_lines_and_100_columns(self):
        self.assertTrue(too_long(["x"] * 401))
        self.assertFalse(too_long(["x"] * 400))
        self.assertFalse(too_long(["-- Made by tools/x; do not edit."] + ["x"] * 400))
        self.assertEqual(wide_lines(["x" * 100, "x" * 101]), [2])

    def test_no_file_is_too_long_or_too_wide(self):
        for file in tracked():
            lines = file.read_text(encoding="utf-8").splitlines()
            with self.subTest(file=str(file.relative_to(ROOT))):
                self.assertFalse(too_long(lines), f"{len(lines)} lines")
                # Some lists of CMake properties cannot be broken into shorter lines.
                if file.suffix != ".cmake" and file.name != "CMakeLists.txt":
                    self.assertEqual(wide_lines(lines), [], "lines wider than 100 columns")


if __name__ == "__main__":
    skips.main()
