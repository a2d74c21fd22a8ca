#!/usr/bin/env python3
"""Checks that every file that includes Boost.Asio is compiled with BOOST_ASIO_SEPARATE_COMPILATION.
Without it, a file has its own copy of Boost.Asio, and a program with both kinds of files
crashes."""
import json
import os
import re
import unittest
from pathlib import Path

import skips

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def includes_asio(path, seen):
    if path in seen or not (SOURCE / path).is_file():
        return False
    seen.add(path)
    return any(one.startswith("boost/asio") or includes_asio(one, seen)
               for one in INCLUDE.findall((SOURCE / path).read_text(encoding="utf-8")))


def compiled_files(entry):
    """Returns the sources of a compile command: its file, or those that a unity file includes."""
    file = Path(entry["file"])
    if file.parent.name != "Unity":
        return [file]
    return [Path(one) for one in INCLUDE.findall(file.read_text(encoding="utf-8"))]


class Asio(unittest.TestCase):
    def test_files_that_include_asio_are_compiled_for_its_library(self):
        commands = Path(os.environ["TCPLAB_BUILD_DIR"], "compile_commands.json")
        checked = 0
        for entry in json.loads(commands.read_text(encoding="utf-8")):
            for file in compiled_files(entry):
                if file.is_relative_to(SOURCE) and includes_asio(file.relative_to(SOURCE), set()):
                    self.assertIn("-DBOOST_ASIO_SEPARATE_COMPILATION", entry["command"], file)
                    checked += 1
        self.assertGreater(checked, 10)


if __name__ == "__main__":
    skips.main()
