#!/usr/bin/env python3
"""Checks what a release consists of: the version, the change log and the Debian package."""
import gzip
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from shutil import copy, which

import skips

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ["TCPLAB_RELEASE_BIN"])
DEBIAN_PYTEST = "/usr/lib/python3/dist-packages/pytest"
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
        if done.stdout:
            self.assertNotIn(f"## {VERSION} (not released)", CHANGES)

    def test_the_version_is_that_of_the_tag_or_in_development(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(version_text(folder, "0.2.0 (not released)", ["v0.1.0"]), "0.2.0-dev")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(version_text(folder, "0.2.0 (2026-01-31)", ["v0.2.0"]), "0.2.0")


def version_text(folder, heading, tags):
    """Returns the version of a clone whose only commit has these tags."""
    (Path(folder) / "cmake").mkdir()
    copy(ROOT / "cmake/version.cmake", Path(folder) / "cmake")
    (Path(folder) / "CHANGELOG.md").write_text(f"## {heading}\n", encoding="utf-8")
    script = Path(folder) / "print.cmake"
    script.write_text("include(cmake/version.cmake)\n"
                      "execute_process(COMMAND echo ${TCPLAB_VERSION_TEXT})\n", encoding="utf-8")
    git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@localhost"]
    output(*git, "init", "--quiet")
    output(*git, "commit", "--quiet", "--allow-empty", "--message", "x")
    for tag in tags:
        output(*git, "tag", tag)
    return output("cmake", "-P", script, cwd=folder).strip()


@unittest.skipUnless(which("dpkg-shlibdeps"), "no dpkg-dev here")
class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        # To compress with gzip takes less time than with xz.
        output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder.name,
               "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=BUILD)
        (cls.package,) = Path(cls.folder.name).glob("tcplab_*.deb")
        cls.root = Path(cls.folder.name) / "extracted"
        output("dpkg-deb", "--extract", cls.package, cls.root)

    def field(self, name):
        return output("dpkg-deb", "--field", self.package, name).strip()

    def test_it_has_the_programs_and_what_they_need(self):
        for file in ("bin/tcplab", "bin/dnc", "libexec/tcplab/tcplab-agent",
                     "share/tcplab/scenarios/puzzlers/power-cycle.lua"):
            self.assertTrue((self.root / "usr" / file).is_file(), file)
        for library in ("libpcap0.8", "liblua5.4-0", "libmnl0"):
            self.assertIn(library, self.field("Depends"))

    def test_its_version_is_native(self):
        self.assertRegex(self.field("Version"), rf"^{re.escape(VERSION)}([~+][a-z0-9.]+)?$")

    def test_it_has_the_licences_of_the_libraries_that_are_linked_in(self):
        text = (self.root / "usr/share/doc/tcplab/copyright").read_text(encoding="utf-8")
        for licence in ("Expat", "BSD-3-clause", "BSL-1.0", "GPL-3+ with GCC exception",
                        "LGPL-2.1+"):
            self.assertIn(f"\nLicense: {licence}\n ", text)

    def test_it_has_the_newest_section_of_the_change_log(self):
        with gzip.open(self.root / "usr/share/doc/tcplab/changelog.gz", "rt") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], f"tcplab ({self.field('Version')}) unstable; urgency=medium")
        self.assertIn("  * ", lines[2])
        self.assertRegex(lines[-1], rf"^ -- {re.escape(self.field('Maintainer'))}  \w{{3}}, ")

    def test_its_manual_pages_are_compressed(self):
        pages = sorted(path.name for path in (self.root / "usr/share/man/man1").iterdir())
        self.assertEqual(pages, ["dnc.1.gz", "tcplab.1.gz"])
        for page in pages:
            with gzip.open(self.root / "usr/share/man/man1" / page, "rb") as file:
                self.assertEqual(file.read(), (ROOT / "man" / page[:-3]).read_bytes())

    @unittest.skipUnless(which("lintian"), "no lintian here")
    def test_lintian_finds_nothing_wrong(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning",
                               self.package], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


@unittest.skipUnless(which("dpkg-deb"), "no dpkg here")
class PythonPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        said = output(ROOT / "cmake/debian/python-package", cls.folder.name, VERSION + "~dev",
                      "Somebody <somebody@localhost.invalid>")
        cls.package = Path(said.strip())
        cls.root = Path(cls.folder.name) / "extracted"
        output("dpkg-deb", "--extract", cls.package, cls.root)
        cls.modules = cls.root / "usr/lib/python3/dist-packages"

    def test_it_has_the_modules_of_the_source_tree(self):
        source = {path.name: path.read_bytes() for path in (ROOT / "python/tcplab").iterdir()
                  if path.is_file()}
        packed = {path.name: path.read_bytes() for path in (self.modules / "tcplab").iterdir()}
        self.assertEqual(packed.keys(), source.keys())
        self.assertEqual(packed, source)

    @unittest.skipUnless(Path(DEBIAN_PYTEST).exists(), "no python3-pytest here")
    def test_pytest_finds_its_plugin(self):
        done = subprocess.run(["/usr/bin/python3", "-m", "pytest", "--help"], text=True,
                              capture_output=True, check=False, cwd=self.folder.name,
                              env={**os.environ, "PYTHONPATH": str(self.modules)})
        self.assertIn("--tcplab-html", done.stdout, done.stderr)

    @unittest.skipUnless(which("lintian"), "no lintian here")
    def test_lintian_finds_nothing_wrong(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning",
                               self.package], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    skips.main()
