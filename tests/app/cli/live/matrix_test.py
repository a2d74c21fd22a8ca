#!/usr/bin/env python3
"""tcplab matrix: scenarios on several kernels."""
import subprocess
import unittest
from pathlib import Path

import guests
import lab
import schemas

DIFFERS = """return { title = 'T', asks = 'Q?', run = function(lab)
  local client, server, kang = lab:connected()
  if lab:since "6.2" then client:type "x\\n" end
  lab:wait(1)
  lab:expect(client):in_state "ESTABLISHED"
end }"""
SAME = """return { title = 'T', asks = 'Q?', run = function(lab)
  local client = lab:connected()
  client:stop()
  lab:expect(client):ends()
  lab:expect_packet("kang > kodos", "FIN")
end }"""


class MatrixTest(unittest.TestCase):
    def setUp(self):
        self.out = lab.Folder()
        self.addCleanup(self.out.cleanup)

    def matrix(self, *arguments, **scripts):
        for name, text in scripts.items():
            Path(self.out.name, f"{name}.lua").write_text(text, encoding="utf-8")
        return subprocess.run([lab.BIN / "tcplab", "matrix", *arguments], capture_output=True,
                              text=True, cwd=self.out.name, timeout=300, check=False)

    def test_a_single_kernel_is_refused(self):
        done = self.matrix("same.lua", "--kernel", "this", same=SAME)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("name two kernels or more", done.stderr)
        done = self.matrix("same.lua", "--kernel", "this,this", same=SAME)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("names this twice", done.stderr)

    @guests.needs_kernel
    def test_the_table_says_what_differs(self):
        done = self.matrix("same.lua", "differs.lua", "--kernel", "this,6.1", "--family", "4",
                           "--repeat", "2", "--markdown", "table.md", "--html", "table.html",
                           "--json", "table.json", same=SAME, differs=DIFFERS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 runs on 2 kernels, 2 times each: 1 alike, 1 different, 0 failed, 0 "
                      "skipped", done.stdout)
        self.assertRegex(done.stdout, r"≠ differs +calls of kang's dnc: - write = 2")
        self.assertNotIn("same  IPv4", done.stdout)
        table = Path(self.out.name, "table.md").read_text(encoding="utf-8")
        self.assertIn("| differs | IPv4 | ✓ same | ≠ differs: ", table)
        found = schemas.checked(Path(self.out.name, "table.json").read_text(encoding="utf-8"))
        self.assertEqual((found["format"], found["repeat"]), ("tcplab-matrix", 2))
        cells = {row["scenario"]: row["cells"] for row in found["rows"]}
        self.assertEqual([cell["behaviour"] for cell in cells["same"]], ["same", "same"])
        self.assertEqual([cell["behaviour"] for cell in cells["differs"]], ["same", "differs"])
        lines = [line for each in cells["differs"][1]["difference"]["lists"]
                 for line in each["lines"]]
        self.assertIn({"kind": "removed", "text": "write = 2"}, lines)
        page = Path(self.out.name, "table.html").read_text(encoding="utf-8")
        self.assertIn("<del>- write = 2</del>", page)
        self.assertIn('scope="row">same<', page)
        self.assertTrue(Path(self.out.name, "matrix/this/same-ipv4-2/events.jsonl").exists())

    @guests.needs_kernel
    def test_a_skip_and_a_failure_have_their_reasons(self):
        newer = SAME.replace("asks", "since = '6.2', asks")
        fails = SAME.replace("local client",
                             "lab:check(lab:since '6.2', 'it is new')\n  local client")
        done = self.matrix("newer.lua", "fails.lua", "--kernel", "this,6.1", "--family", "4",
                           newer=newer, fails=fails)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"∅ skipped +what it expects holds since Linux 6\.2")
        self.assertRegex(done.stdout, r"✗ failed +it is new")
        self.assertIn("0 alike, 0 different, 1 failed, 1 skipped", done.stdout)


if __name__ == "__main__":
    unittest.main()
