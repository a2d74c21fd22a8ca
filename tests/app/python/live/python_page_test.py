#!/usr/bin/env python3
"""Runs the code of docs/python.md."""
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
from python_package import PYTHON, SOURCE, environment, need_module, pytest

PAGE = (SOURCE / "docs/python.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.S)


class Page(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)

    def write_files(self):
        """Writes the blocks that begin with the name of a file."""
        names = []
        for code in CODE:
            if name := re.match(r"# (\S+\.py)\n", code):
                (self.folder / name[1]).write_text(code)
                names.append(name[1])
        self.assertEqual(names, ["client.py", "test_client.py"])

    def test_the_tests_of_the_client_pass(self):
        need_module("pytest", "python3-pytest")
        self.write_files()
        for options in [[], ["--tcplab-family", "6"]]:
            status, output = pytest(self.folder, *options)
            self.assertEqual(status, 0, output)
            self.assertIn("3 passed", output)

    def test_a_failure_reads_as_the_page_shows(self):
        need_module("pytest", "python3-pytest")
        self.write_files()
        shown = re.search(r"```text\n(>.*?)```", PAGE, re.S)[1].splitlines()
        test = self.folder / "test_client.py"
        wrong = test.read_text().replace(
            'lab.expect(client).within(10).prints("no answer: timed out")', shown[0][1:].strip())
        test.write_text(wrong)
        status, output = pytest(self.folder)
        self.assertEqual(status, 1, output)
        for line in shown:
            self.assertIn(line.rstrip(), output)

    def test_the_script_without_pytest_runs(self):
        done = subprocess.run([PYTHON, "-c", CODE[-1]], cwd=self.folder, env=environment(),
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "passed\n"), done.stderr)

    def test_the_exceptions_and_options_of_the_package_are_documented(self):
        sys.path.insert(0, str(SOURCE / "python"))
        import inspect

        import tcplab
        for name in tcplab.__all__:
            self.assertIn(name, PAGE)
        for name in list(inspect.signature(tcplab.Lab.__init__).parameters)[1:]:
            self.assertIn(f"`{name}`", PAGE)


if __name__ == "__main__":
    lab.main()
