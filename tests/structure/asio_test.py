#!/usr/bin/env python3
"""Checks that every file that includes Boost.Asio is compiled with BOOST_ASIO_SEPARATE_COMPILATION.
Without it, a file has its own copy of Boost.Asio, and a program with both kinds of files
crashes."""
import os
import re
import sys
import unittest
from pathlib import Path

import skips

SOURCE = Path(os.environ["TCPLAB_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
sys.dont_write_bytecode = True
import compile_commands  # pylint: disable=wrong-import-position
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def includes_asio(path, seen):
    if path in seen or not (SOURCE / path).is_file():
        return False
    seen.add(path)
    return any(one.startswith("boost/asio") or includes_asio(one, seen)
               for one in INCLUDE.findall((SOURCE / path).read_text(encoding="utf-8")))


class Asio(unittest.TestCase):
    def test_files_that_include_asio_are_compiled_for_its_library(self):
        checked = 0
        for file, command in compile_commands.compiled_files(os.environ["TCPLAB_BUILD_DIR"]):
            if file.is_relative_to(SOURCE) and includes_asio(file.relative_to(SOURCE), set()):
                self.assertIn("-DBOOST_ASIO_SEPARATE_COMPILATION", command, file)
                checked += 1
        self.assertGreater(checked, 10)


if __name__ == "__main__":
    skips.main()
