#!/usr/bin/env python3
"""Programs see the files of the machine as they are when the program starts."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab

SCRIPT = """return {
  title = "Files that change", asks = "What does a program see of them?",
  run = function(lab)
    local kang = lab:pair()
    lab:expect(kang:run("sh", "-c", "cat late; cat program")):prints "old"
    lab:expect(kang:run("sh", "-c", "until test -s go; do sleep 0.05; done")):within(60):exits(0)
    local reader = kang:run("sh", "-c", "cat program late")
    lab:expect(reader):prints "new\\nlate\\n"
    lab:expect(reader):exits(0)
  end,
}
"""

NESTED = """return {
  title = "A mount in the folder", asks = "Does a program see it?",
  run = function(lab)
    local kang = lab:pair()
    lab:expect(kang:run("cat", "nested/deep/file")):prints "below"
  end,
}
"""


class MachineFiles(unittest.TestCase):
    def sees_changes(self, *options):
        with lab.Folder() as folder:
            Path(folder, "files.lua").write_text(SCRIPT, encoding="utf-8")
            Path(folder, "program").write_text("old\n", encoding="utf-8")
            Path(folder, "go").touch()
            command = [lab.TCPLAB, "run", "files.lua", "--family", "4", "--live", *options]
            with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT) as run:
                said = ""
                for line in run.stdout:
                    said += line
                    if "writes" in line and "old" in line or "✓" in line and "old" in line:
                        break
                # As an editor and a compiler do: the new file takes the place of the old one.
                Path(folder, "draft").write_text("new\n", encoding="utf-8")
                Path(folder, "draft").rename(Path(folder, "program"))
                Path(folder, "late").write_text("late\n", encoding="utf-8")
                Path(folder, "go").write_text("go", encoding="utf-8")
                said += run.stdout.read()
            self.assertEqual(run.returncode, 0, said)

    def test_on_a_host_in_namespaces(self):
        self.sees_changes()

    @guests.needs_kernel
    def test_on_a_host_with_a_kernel_of_its_own(self):
        self.sees_changes("--kernel", "6.1")

    @unittest.skipUnless(os.geteuid() == 0, "only root may mount")
    def test_a_mount_in_a_folder_of_a_tmp_of_its_own(self):
        mounts = """mount -t tmpfs tmpfs /tmp && mkdir -p /tmp/tree/nested &&
        mount -t tmpfs tmpfs /tmp/tree/nested && mkdir /tmp/tree/nested/deep &&
        mount -t tmpfs tmpfs /tmp/tree/nested/deep && echo below >/tmp/tree/nested/deep/file &&
        cat >/tmp/tree/nested.lua && cd /tmp/tree && exec "$0" run nested.lua --family 4"""
        made = subprocess.run(["unshare", "--mount", "sh", "-c", mounts, lab.TCPLAB],
                              input=NESTED, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(made.returncode, 0, made.stdout)


if __name__ == "__main__":
    lab.main()
