#!/usr/bin/env python3
"""Checks host:disk: what survives a power cycle, who sees it, and that a run leaves nothing of it.
As root and as an ordinary user."""
import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from users import NOBODY, OrdinaryUser

WRONG = """return {
  title = "Wrong", asks = "What is wrong?", tags = { "tests" },
  run = function(lab)
    local kang, kodos = lab:pair()
    %s
  end,
}
"""


class Disks(OrdinaryUser):
    def setUp(self):
        super().setUp()
        template = self.home / "template"
        (template / "folder").mkdir(parents=True)
        (template / "folder/file").write_text("from the template\n")
        (template / "link").symlink_to("folder/file")
        (template / "folder").chmod(0o700)
        self.script = self.home / "disks.lua"
        text = (lab.SCRIPTS / "disks.lua").read_text(encoding="utf-8")
        self.script.write_text(text.replace("@TEMPLATE@", str(template)), encoding="utf-8")
        for path in (template, *template.rglob("*")):
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def check(self, run):
        self.assertEqual(run.returncode, 0, lab.troubles(run.stdout) + run.stderr)
        left = list((self.home / "runs").glob("*/disks"))
        self.assertEqual(left, [], "the run removes its disks")

    def test_as_root(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        self.check(self.as_root("run", self.script, "--out", self.home / "runs"))

    def test_as_an_ordinary_user(self):
        self.check(self.as_user("run", self.script, "--out", self.home / "runs"))

    def test_wrong_scripts(self):
        with lab.Folder() as out:
            for line, says in (('kang:disk("disk")', "is no place for a disk"),
                               ('kang:disk("/")', "has the host's own files; a disk hides one"),
                               ('kang:disk("//")', "is no place for a disk"),
                               ('kang:disk("//proc")', "is no place for a disk"),
                               ('kang:disk("/tmp//disk")', "is no place for a disk"),
                               ('kang:disk("/.")', "is no place for a disk"),
                               ('kang:disk("/tmp/..")', "is no place for a disk"),
                               ('kang:disk("/proc/disk")', "where no disk can be"),
                               ('lab:expect(kang:run("ln", "-s", "/proc", "/tmp/link")):exits(0) '
                                'kang:disk("/tmp/link")', "where no disk can be"),
                               ('kang:disk("/no/such/folder")', "outside of the private folders"),
                               ('kang:disk("/tmp/disk", { from = "/no/such" })', "is no folder"),
                               ('kang:disk("/tmp/disk", { mode = "9" })', "octal digits"),
                               ('kang:disk("/tmp/disk", { owner = "nobody-here" })', "no user")):
                script = Path(out) / "wrong.lua"
                script.write_text(WRONG % line, encoding="utf-8")
                run = lab.Run(script, out)
                self.assertEqual(run.status, 2, run.said())
                self.assertIn(says, " ".join((run.output + run.errors).split()))

    def test_a_folder_that_does_not_fit_says_what_fits_and_which_option_helps(self):
        with lab.Folder() as out:
            (out / "large").mkdir()
            (out / "large/file").write_bytes(bytes(3 << 20))
            script = out / "wrong.lua"
            script.write_text(WRONG % f'kang:disk("/tmp/disk", {{ from = "{out}/large" }})',
                              encoding="utf-8")
            run = lab.Run(script, out, "--limit", "disks=2M")
            self.assertEqual(run.status, 3, run.said())
            self.assertIn(f"the disks of the run have no room for all files of {out}/large; "
                          "together they hold at most 2 Mi bytes; to allow more: tcplab run "
                          "--limit disks=NUMBER", " ".join((run.output + run.errors).split()))
            for enough in ("disks=4M", "disks=0"):
                run = lab.Run(script, out, "--limit", enough)
                self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
