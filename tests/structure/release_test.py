#!/usr/bin/env python3
"""Checks what a release consists of: the version, the change log and the Debian package."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from shutil import which

import skips

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ["TCPLAB_RELEASE_BIN"])
BUILD = BIN.parent
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSION = re.search(r"^## (\d+\.\d+\.\d+)\b", CHANGES, re.MULTILINE).group(1)


def output(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True,
                          timeout=300, **more).stdout


class Release(unittest.TestCase):
    def test_every_release_has_a_section(self):
        headings = re.findall(r"^## (.*)", CHANGES, re.MULTILINE)
        for heading in headings:
            self.assertRegex(heading, r"^\d+\.\d+\.\d+ \((not released|\d{4}-\d\d-\d\d)\)$")
        unreleased = [heading for heading in headings if "not released" in heading]
        self.assertLessEqual(len(unreleased), 1, "only the newest section may be unreleased")

    def test_the_programs_have_the_version_of_the_newest_section(self):
        for program in ("tcplab", "dnc"):
            printed = output(BIN / program, "--version").split()[-1]
            self.assertEqual(printed.split("-")[0], VERSION, program)

    def test_a_tag_of_this_commit_is_the_version(self):
        tags = ["git", "-C", ROOT, "tag", "--points-at", "HEAD", "--list", "v[0-9]*"]
        done = subprocess.run(tags, capture_output=True, text=True, check=False)
        self.assertLessEqual(set(done.stdout.split()), {f"v{VERSION}"})

    @unittest.skipUnless(which("dpkg-shlibdeps"), "no dpkg-dev here")
    def test_the_debian_package_has_the_programs_and_what_they_need(self):
        with tempfile.TemporaryDirectory() as folder:
            output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder, cwd=BUILD)
            packages = list(Path(folder).glob("tcplab_*.deb"))
            self.assertEqual(len(packages), 1)
            files = output("dpkg-deb", "--contents", packages[0])
            for file in ("./usr/bin/tcplab", "./usr/bin/dnc", "./usr/share/man/man1/dnc.1",
                         "./usr/share/tcplab/scenarios/puzzlers/power-cycle.lua"):
                self.assertIn(file, files)
            needs = output("dpkg-deb", "--field", packages[0], "Depends")
            for library in ("libpcap0.8", "liblua5.4-0", "libmnl0"):
                self.assertIn(library, needs)
            version = output("dpkg-deb", "--field", packages[0], "Version").strip()
            self.assertEqual(version.split("-")[0], VERSION)


if __name__ == "__main__":
    skips.main()
