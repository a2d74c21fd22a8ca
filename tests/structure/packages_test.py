#!/usr/bin/env python3
"""Checks which packages tools/install-packages finds missing, chooses and installs, and what it
prints if it must not install.

Fake dpkg-query, apt and sudo programs on PATH make sure that nothing is installed.
"""
import os
import unittest

import skips
from clone import Clone

DPKG = """#!/bin/bash
for name in here; do echo "installed $name"; done
echo "deinstall removed"
"""
APT_CACHE = """#!/bin/bash
case $2 in
  second | third | removed) echo "  Candidate: 1.0" ;;
  late) [[ -e $FAKE/updated ]] && echo "  Candidate: 1.0" ;;
  *) echo "  Candidate: (none)" ;;
esac
"""
APT_GET = """#!/bin/bash
for word in "$@"; do [[ $word == update ]] && touch "$FAKE/updated"; done
echo "$@" >>"$FAKE/apt.log"
"""
ENV = {"LC_ALL": "C.UTF-8"}


class Packages(unittest.TestCase):
    def setUp(self):
        self.clone = Clone()
        self.addCleanup(self.clone.remove)
        (self.clone.folder / "fake").mkdir()
        self.fake("dpkg-query", DPKG)
        self.fake("apt-cache", APT_CACHE)
        self.fake("apt-get", APT_GET)
        self.clone.write("fake/x_Packages", "")
        os.chmod(self.clone.folder, 0o755)

    def fake(self, name, text):
        self.clone.write(f"fake/{name}", text)
        os.chmod(self.clone.folder / "fake" / name, 0o755)

    def install(self, needs, ordinary=False):
        self.clone.write("tools/packages-x.txt", needs)
        fake = self.clone.folder / "fake"
        program = self.clone.folder / "tools/install-packages"
        before = []
        if ordinary:
            self.fake("sudo", "#!/bin/bash\nexit 1\n")
            if os.geteuid() == 0:
                before = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        command = [*before, str(program), "x"]
        return self.clone.run(*command[1:], program=command[0], FAKE=str(fake),
                              APT_LISTS=str(fake),
                              PATH=f"{fake}:{os.environ['PATH']}")

    def asked_of_apt(self):
        log = self.clone.folder / "fake/apt.log"
        return log.read_text().splitlines() if log.exists() else []

    def as_root(self):
        if os.geteuid() != 0:
            self.skipTest("installs as root only")

    def test_apt_is_not_called_if_everything_is_installed(self):
        done = self.install("# a comment\nhere\nfirst | here\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.asked_of_apt(), [])

    def test_the_first_available_alternative_is_installed(self):
        self.as_root()
        self.assertEqual(self.install("here\nfirst | second\nthird # why\n").returncode, 0)
        self.assertEqual(len(self.asked_of_apt()), 1)
        self.assertTrue(self.asked_of_apt()[0].endswith("install -y --no-install-recommends "
                                                        "second third"))

    def test_a_package_that_was_removed_is_missing(self):
        self.as_root()
        self.install("removed\n")
        self.assertIn("removed", self.asked_of_apt()[0])

    def test_without_an_answer_from_dpkg_every_package_is_missing(self):
        self.as_root()
        # On a bare system dpkg-query finds no package and fails.
        self.fake("dpkg-query", "#!/bin/bash\nexit 1\n")
        self.install("second\nthird\n")
        self.assertTrue(self.asked_of_apt()[0].endswith(" second third"))

    def test_lists_are_updated_if_apt_does_not_know_a_package(self):
        self.as_root()
        self.install("first | late\n")
        self.assertIn("update", self.asked_of_apt()[0])
        self.assertTrue(self.asked_of_apt()[1].endswith(" late"))

    def test_a_package_that_may_be_missing_is_installed_if_apt_has_it(self):
        self.as_root()
        self.assertEqual(self.install("second | none\nfirst | none\n").returncode, 0)
        self.assertTrue(self.asked_of_apt()[0].endswith(" --no-install-recommends second"))

    def test_a_package_that_may_be_missing_is_looked_for_in_new_lists(self):
        self.as_root()
        (self.clone.folder / "fake/x_Packages").unlink()
        self.install("late | none\n")
        self.assertIn("update", self.asked_of_apt()[0])
        self.assertTrue(self.asked_of_apt()[1].endswith(" late"))

    def test_a_package_that_may_be_missing_stops_nobody(self):
        done = self.install("here\nfirst | none\n", ordinary=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.asked_of_apt(), [])

    def test_an_ordinary_user_gets_the_command_to_run(self):
        done = self.install("here\nfirst | second\n", ordinary=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("  sudo apt-get update && sudo apt-get install -y --no-install-recommends "
                      "second\n", done.stderr)
        self.assertEqual(self.asked_of_apt(), [])


if __name__ == "__main__":
    skips.main()
