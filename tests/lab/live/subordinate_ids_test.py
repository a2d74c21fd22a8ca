#!/usr/bin/env python3
"""Checks that an ordinary user with subordinate ids (subuid(5)) can start programs as other users,
that one without them gets the reason, and that the run itself is root on its hosts either way."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from users import NOBODY, OrdinaryUser

SCRIPT = """return {
  title = "Other users", asks = "Who is the program?", tags = { "tests" },
  run = function(lab)
    local kang = lab:pair()
    lab:expect(kang:run("id", "-u")):prints "0\\n"
    kang:file("/tmp/own/file", "text", { owner = "daemon", mode = "0600" })
    local program = kang:run { "sh", "-c", "id -un; cat /tmp/own/file; touch /tmp/own/new; "
      .. "ls -ln /tmp/own/new; touch /etc/hosts", as = "daemon" }
    lab:expect(program):prints "daemon\\ntext"
    lab:expect(program):prints " 1 1 "
    lab:expect(program):prints "touch"
  end,
}
"""
# Gives `nobody` these lines in /etc/subuid and /etc/subgid, in a private mount namespace.
IDS = 'mount --bind "$1" /etc/subuid && mount --bind "$1" /etc/subgid && shift && exec "$@"'


@unittest.skipUnless(os.geteuid() == 0, "needs root, to give a user subordinate ids")
class SubordinateIds(OrdinaryUser):
    def setUp(self):
        super().setUp()
        lab.need("newuidmap", "newgidmap", "unshare", "setpriv")
        for path in ("/etc/subuid", "/etc/subgid"):
            if not os.path.exists(path):
                self.skipTest(f"needs {path}")
        self.script = self.home / "users.lua"
        self.script.write_text(SCRIPT, encoding="utf-8")

    def as_user_with(self, lines, *arguments):
        ids = self.home / "ids"
        ids.write_text(lines, encoding="utf-8")
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        return self.run_in_home(["unshare", "--mount", "sh", "-c", IDS, "sh", ids, *user,
                                 self.home / "tcplab", *arguments], {})

    def test_with_subordinate_ids(self):
        lines = f"{NOBODY}:200000:65536\n"
        run = self.as_user_with(lines, "run", self.script, "--out", self.home / "runs")
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)
        self.assertIn("2 passed", run.stdout)
        doctor = self.as_user_with(lines, "doctor").stdout
        self.assertIn("by your subordinate ids", " ".join(doctor.split()))

    def test_with_too_few(self):
        run = self.as_user_with("nobody:200000:1\nnobody:300000:0\n", "run", self.script, "--out",
                                self.home / "runs")
        self.assertIn("2 passed", run.stdout, "daemon is user 1")

    def test_without_them(self):
        run = self.as_user_with("somebody:200000:65536\n", "run", self.script, "--out",
                                self.home / "runs")
        self.assertEqual(run.returncode, 4, run.stdout + run.stderr)
        self.assertIn("or subordinate ids (see tcplab doctor)", " ".join(run.stdout.split()))
        doctor = self.as_user_with("somebody:200000:65536\n", "doctor").stdout
        self.assertIn("nobody has no ids in /etc/subuid", " ".join(doctor.split()))
        self.assertIn("fix: sudo usermod --add-subuids 100000-165535 nobody", doctor)


if __name__ == "__main__":
    lab.main()
