#!/usr/bin/env python3
"""Checks what programs find on kernel hosts: files of the script, disks, and a resolver. The
scripts are those of the tests in namespaces."""
import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

KERNEL = ("--kernel", "6.1")


@guests.needs_kernel
class KernelFiles(lab.LinesTest):
    def passes(self, script, family="4"):
        run = lab.Run(script, self.out.name, *KERNEL, family=family, timeout=300)
        self.assertEqual(run.status, 0, run.said())
        return run

    def test_programs_find_what_the_script_writes(self):
        run = self.passes("host-files.lua")
        notes = [event["text"] for event in run.events("note")]
        self.assertIn("kang has the file /run/app/conf.d/main, 6 bytes", notes)

    def test_a_file_that_cannot_be_written_is_the_fault_of_the_script(self):
        run = lab.Run(self.script(
            'lab:expect(kang:run("sh", "-c", "ln -s /etc /tmp/etc")):exits(0)\n'
            'kang:file("/tmp/etc/a", "x")'), self.out.name, *KERNEL)
        self.assertEqual(run.status, 2, run.said())
        self.assertIn("is a symbolic link, which host:file does not follow", run.said())

    @unittest.skipIf(os.geteuid() != 0, "only root can give a file to another user")
    def test_an_owner_gets_the_file_and_its_new_folders(self):
        self.passes(self.script(
            'kang:file("/tmp/his/key", "x", { mode = "0600", owner = "nobody" })\n'
            'local look = kang:run{ "stat", "-c", "%U %a", "/tmp/his", "/tmp/his/key", '
            'as = "nobody" }\nlab:expect(look):within(20):prints "nobody 755\\nnobody 600\\n"'))

    @unittest.skipIf(os.geteuid() != 0, "an ordinary user has a mount namespace only sometimes")
    def test_disks_survive_a_power_cycle(self):
        template = Path(self.out.name, "template")
        (template / "folder").mkdir(parents=True)
        (template / "folder/file").write_text("from the template\n", encoding="utf-8")
        (template / "link").symlink_to("folder/file")
        (template / "folder").chmod(0o700)
        script = Path(self.out.name, "disks.lua")
        text = (lab.SCRIPTS / "disks.lua").read_text(encoding="utf-8")
        script.write_text(text.replace("@TEMPLATE@", str(template)), encoding="utf-8")
        self.passes(script)
        self.assertEqual(list(Path(self.out.name).glob("*/disks")), [], "the run removes its disks")

    def test_programs_resolve_names_on_both_families(self):
        lab.need("getent")
        for family in ("4", "6"):
            run = self.passes("resolver.lua", family)
            notes = [event["text"] for event in run.events("note")]
            self.assertTrue([note for note in notes if "cut for UDP" in note], notes)


if __name__ == "__main__":
    lab.main()
