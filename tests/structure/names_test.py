#!/usr/bin/env python3
"""Checks that no two files define types with the same name."""
import collections
import re
import subprocess
import unittest
from pathlib import Path

import include_rule
import skips

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(folder + "/" for folder in include_rule.TOP_FOLDERS)
DEFINITION = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.M)


def sources():
    """Returns path -> text for each C++ file of the rooms."""
    names = subprocess.run(["git", "ls-files", "-z", "*.cc", "*.hh"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\0")
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names
            if name.startswith(ROOMS) and (ROOT / name).is_file()}


def defined_twice(files):
    """Returns name -> files for each type that more than one file defines."""
    found = collections.defaultdict(list)
    for path, text in files.items():
        for name in DEFINITION.findall(text):
            found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


class Names(unittest.TestCase):
    def test_a_type_defined_in_two_files_is_found(self):
        files = {"base/a.hh": "struct Row {\n};\n", "netns/b.cc": "class Row final : public X {\n"}
        self.assertEqual(defined_twice(files), {"Row": ["base/a.hh", "netns/b.cc"]})

    def test_a_declaration_is_not_a_definition(self):
        self.assertEqual(defined_twice({"a.hh": "struct Row;\n", "b.hh": "struct Row {};\n"}), {})

    def test_each_type_of_the_project_is_defined_once(self):
        self.assertEqual(defined_twice(sources()), {})


if __name__ == "__main__":
    skips.main()
