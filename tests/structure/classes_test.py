#!/usr/bin/env python3
"""Checks that a class does not do too much: at most 30 functions and 20 members. Plain values,
which have no function, may have more members."""
import collections
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import skips

ROOT = Path(__file__).resolve().parents[2]
MOST_FUNCTIONS = 30
MOST_MEMBERS = 20


def headers():
    names = subprocess.run(["git", "ls-files", "-z", "*.hh"], cwd=ROOT, check=True,
                           capture_output=True).stdout.decode().split("\0")
    return [name for name in names if name and not name.startswith(("tests/", "bench/"))]


def sizes(files, root=ROOT):
    """Returns the classes that headers declare, with the numbers of their functions and members."""
    tags = subprocess.run(["ctags", "--output-format=json", "--fields=+nK", "--kinds-C++=+p",
                           "-o", "-", *files], cwd=root, check=True, capture_output=True,
                          text=True).stdout
    found = collections.defaultdict(lambda: [0, 0])
    for tag in map(json.loads, tags.splitlines()):
        if tag.get("scopeKind") in ("class", "struct"):
            is_function = tag["kind"] in ("prototype", "function")
            if is_function or tag["kind"] == "member":
                found[tag["scope"]][0 if is_function else 1] += 1
    return {name: tuple(size) for name, size in found.items()}


def is_too_large(functions, members):
    return functions > MOST_FUNCTIONS or (functions > 0 and members > MOST_MEMBERS)


class Classes(unittest.TestCase):
    def test_functions_and_members_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.hh").write_text(
                "namespace n {\nclass A {\npublic:\n  A();\n  int f() const { return 1; }\n"
                "private:\n  void g();\n  int one_ = 0;\n  int two_ = 0;\n};\n}\n")
            self.assertEqual(sizes(["a.hh"], folder), {"n::A": (3, 2)})

    def test_the_limits(self):
        self.assertFalse(is_too_large(30, 20))
        self.assertTrue(is_too_large(31, 0))
        self.assertTrue(is_too_large(1, 21))
        self.assertFalse(is_too_large(0, 60))  # a value

    def test_no_class_is_too_large(self):
        found = sizes(headers())
        self.assertGreater(len(found), 100)
        for name, (functions, members) in sorted(found.items()):
            with self.subTest(name):
                self.assertFalse(is_too_large(functions, members),
                                 f"{functions} functions, {members} members; split it by idea")


if __name__ == "__main__":
    skips.main()
