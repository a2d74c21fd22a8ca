#!/usr/bin/env python3
"""Checks that programs get what the script gives them, and that each wrong program or option ends
in one clear line."""
import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

BAD_SCRIPT = 2
SCRIPT = ("return {{\n  title = 'T',\n  asks = 'Q?',\n  run = function(lab)\n"
          "    local kang = lab:pair()\n    kang:run{{ {} }}\n  end,\n}}\n")
FOREIGN = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00" + bytes(44)  # arm64


class ProgramOptions(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def run_it(self, arguments):
        script = Path(self.out.name, "starts.lua")
        script.write_text(SCRIPT.format(arguments), encoding="utf-8")
        return lab.Run(script, self.out.name)

    def refused(self, arguments, *words):
        run = self.run_it(arguments)
        self.assertEqual(run.status, BAD_SCRIPT, run.said())
        lines = (run.output + run.errors).splitlines()
        self.assertTrue(any("starts.lua:6" in line and all(word in line for word in words)
                            for line in lines), run.said())

    def file(self, name, content, mode=0o755):
        path = Path(self.out.name, name)
        path.write_bytes(content)
        path.chmod(mode)
        return str(path)

    @unittest.skipIf(os.geteuid() != 0, "only root can start programs as another user")
    def test_a_program_gets_what_the_script_gives_it(self):
        run = lab.Run("program-options.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())
        names = {event["program"] for event in run.events("program")}
        self.assertLessEqual({"greeter", "server", "server-2"}, names)

    def test_a_program_can_have_a_terminal(self):
        run = lab.Run("terminal.lua", self.out.name)
        self.assertEqual(run.status, 0, run.said())

    def test_files_that_are_no_programs_are_refused(self):
        plain = self.file("plain", b"hello", 0o644)
        self.refused('"/no/such/program"', "/no/such/program does not exist")
        self.refused(f'"{plain}"', "is not executable; fix: chmod +x")
        self.refused('"/etc"', "is a folder")
        self.refused(f'"{self.file("text", b"hello")}"', "neither a program nor a script")
        self.refused(f'"{self.file("lost", b"#!/no/such/sh")}"', "its interpreter /no/such/sh")
        if os.uname().machine == "x86_64":
            self.refused(f'"{self.file("foreign", FOREIGN)}"', "another architecture, arm64")

    def test_a_program_in_a_private_folder_is_refused(self):
        with lab.Folder() as elsewhere:
            program = elsewhere / "hidden"
            program.write_text("#!/bin/sh\n", encoding="utf-8")
            program.chmod(0o755)
            self.refused(f'"{program}"', "is not visible on a host")

    def test_wrong_options_are_refused(self):
        for options, words in (('as = "krusty"', 'this machine has no user "krusty"'),
                               ('cwd = "here"', "begins with a slash"),
                               ('cwd = "/no/such"', "change to the folder /no/such"),
                               ('env = { ["A=B"] = 1 }', "no name of a variable"),
                               ("limits = { files = 3 }", 'no limit "files"'),
                               ("limits = { nofile = -1 }", "at least 0"),
                               ('capabilities = { "CAP_SYS_ADMIN" }', "CAP_NET_ADMIN only"),
                               ('who = "me"', "who")):
            with self.subTest(options=options):
                if "as =" in options and os.geteuid() != 0:
                    continue
                self.refused(f'"true", {options}', words)


if __name__ == "__main__":
    lab.main()
