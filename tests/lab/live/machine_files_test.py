#!/usr/bin/env python3
"""Programs see the files of the machine as they are when the program starts."""
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


if __name__ == "__main__":
    lab.main()
