#!/usr/bin/env python3
"""Checks host:file: what programs find, what the timeline says, and that each misuse ends in one
clear line."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

BAD_SCRIPT = 2
# These need no run to be found.
WRONG = (('"/etc/passwd", "x"', "is outside of the private folders of a host; write below /tmp"),
         ('"/tmpx/a", "x"', "is outside of the private folders"),
         ('"app.conf", "x"', 'is relative; begin it with a slash: "/tmp/app.conf"'),
         ('"/tmp/../etc/passwd", "x"', 'has a part "." or ".."'),
         ('"/tmp/a/", "x"', "ends with a slash"),
         ('"/tmp/a\\0b", "x"', "has a NUL byte"),
         ('"/tmp/a", 7', "argument 2 (text)"),
         ('"/tmp/a", "x", { mode = 644 }', "`mode`"),
         ('"/tmp/a", "x", { mode = "rw" }', 'octal digits such as "0600", not "rw"'),
         ('"/tmp/a", "x", { mode = "77777" }', 'octal digits such as "0600"'),
         ('"/tmp/a", "x", { owner = "krusty" }', 'this machine has no user "krusty"'),
         ('"/tmp/a", "x", { user = "root" }', "no option `user`"))
TO_ETC = ('lab:expect(kang:run("sh", "-c", "ln -s /etc /tmp/etc; echo done > /tmp/file; '
          'mkdir /tmp/folder")):within(20):exits(0)')


class HostFile(lab.LinesTest):
    NAME = "writes.lua"

    def refused(self, lines, *words):
        run = lab.Run(self.script(lines), self.out.name)
        self.assertEqual(run.status, BAD_SCRIPT, run.said())
        said = [line for line in (run.output + run.errors).splitlines() if "writes.lua:" in line]
        self.assertTrue(any(all(word in line for word in words) for line in said), run.said())

    def test_programs_find_what_the_script_writes(self):
        run = lab.Run("host-files.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        notes = [event["text"] for event in run.events("note")]
        self.assertIn("kang has the file /run/app/conf.d/main, 6 bytes", notes)

    @unittest.skipIf(os.geteuid() != 0, "only root can give a file to another user")
    def test_an_owner_gets_the_file_and_its_new_folders(self):
        run = lab.Run(self.script(
            'kang:file("/tmp/his/key", "x", { mode = "0600", owner = "nobody" })\n'
            'local look = kang:run{ "stat", "-c", "%U %a", "/tmp/his", "/tmp/his/key", '
            'as = "nobody" }\nlab:expect(look):prints "nobody 755\\nnobody 600\\n"'), self.out.name)
        self.assertEqual(run.status, 0, run.said())

    def test_wrong_arguments_are_found_by_check_and_by_a_run(self):
        for arguments, words in WRONG:
            with self.subTest(arguments=arguments):
                script = self.script(f"kang:file({arguments})")
                check = subprocess.run([lab.TCPLAB, "check", script], capture_output=True,
                                       text=True, check=False)
                self.assertEqual(check.returncode, BAD_SCRIPT, check.stdout + check.stderr)
                self.assertIn("writes.lua:6: host:file: ", check.stdout + check.stderr)
                self.assertIn(words, check.stdout + check.stderr)
                self.refused(f"kang:file({arguments})", words)

    def test_a_file_that_cannot_be_written_is_one_line(self):
        made = TO_ETC + "\n"
        for lines, words in (
                (made + 'kang:file("/tmp/etc/tcplab", "x")',
                 "kang: cannot write /tmp/etc/tcplab: /tmp/etc is a symbolic link, which host:file "
                 "does not follow"),
                (made + 'kang:file("/tmp/file/a", "x")', "/tmp/file is a file, not a folder"),
                (made + 'kang:file("/tmp/folder", "x")',
                 "cannot write /tmp/folder: Is a directory"),
                ('kang:power_off() kang:file("/tmp/a", "x")', "kang has no power"),
                (f'kang:file("{self.out.name}/a", "x")', "in a folder of the machine, which hosts "
                 "can only read")):
            with self.subTest(lines=lines):
                self.refused(lines, words)
        self.assertFalse(Path("/etc/tcplab").exists())

    def test_without_private_folders_the_run_is_skipped(self):
        run = lab.Run(self.script('kang:file("/tmp/tcplab-trusted", "x")'), self.out.name,
                      "--trust")
        self.assertEqual(run.status, lab.SKIPPED, run.said())
        self.assertIn("tcplab run --trust makes none", run.said())
        self.assertFalse(Path("/tmp/tcplab-trusted").exists())


if __name__ == "__main__":
    lab.main()
