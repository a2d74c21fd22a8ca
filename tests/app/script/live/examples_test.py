#!/usr/bin/env python3
"""Checks that each whole scenario in docs/scenarios.md passes on IPv4 and IPv6, and that the files
and commands of docs/your-program.md do what that page says."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import examples
import lab


def run(*command, folder, **more):
    return subprocess.run(command, text=True, capture_output=True, cwd=folder, timeout=240,
                          check=False, **more)


class TheExamples(unittest.TestCase):
    def run_examples(self, *options):
        with lab.Folder() as folder:
            self.assertGreater(examples.write_examples(folder), 5)
            done = run(lab.TCPLAB, "run", folder, "--out", folder / "runs", *options, folder=folder)
        self.assertEqual(done.returncode, 0, lab.troubles(done.stdout) + done.stderr)

    def test_each_example_passes(self):
        self.run_examples()

    def test_each_example_passes_on_a_busy_machine(self):
        for seed in (5, 6, 8):
            with self.subTest(seed=seed):
                self.run_examples(f"--perturb={seed}")


def blocks(page):
    """Yields the blocks of a page: the language, the text, and the name of the last program or
    scenario that the text before mentions."""
    name = None
    for part in re.split(r"(```\w+\n.*?```)", page, flags=re.S):
        block = re.fullmatch(r"```(\w+)\n(.*?)```", part, re.S)
        if block:
            yield block[1], block[2], name
        else:
            mentioned = re.findall(r"`([\w-]+\.(?:py|lua))`", part)
            name = mentioned[-1] if mentioned else name


class YourProgram(unittest.TestCase):
    page = (examples.DOCS / "your-program.md").read_text()

    def test_a_reader_who_follows_the_page_sees_what_it_says(self):
        printed = ""
        path = f"{pathlib.Path(lab.TCPLAB).parent}:{os.environ['PATH']}"
        with lab.Folder() as folder:
            for language, text, name in blocks(self.page):
                if language in ("python", "lua"):
                    self.assertFalse((folder / name).exists(), f"{name} is there twice")
                    (folder / name).write_text(text)
                elif language == "sh":
                    done = run("bash", "-e", "-c", text, folder=folder,
                               env={**os.environ, "PATH": path})
                    self.assertEqual(done.returncode, 0, text + done.stdout + done.stderr)
                    printed += done.stdout
            last = run(lab.TCPLAB, "run", "contained.lua", folder=folder)
        self.assertIn("kang's client noticed", printed)
        self.assertIn("12 passed, 0 failed, 0 skipped", printed)
        self.assertEqual(last.returncode, 0, last.stdout + last.stderr)

    def test_without_a_timeout_the_client_does_not_notice_that_its_server_is_frozen(self):
        with lab.Folder() as folder:
            for language, text, name in blocks(self.page):
                if language in ("python", "lua"):
                    (folder / name).write_text(text.replace('"kodos", TIMEOUT,', '"kodos",'))
            done = run(lab.TCPLAB, "run", "notices.lua", "--family", "4", folder=folder)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^✗ notices-frozen ")
        for told_by_a_frame in ("power-cycle", "killed"):
            self.assertRegex(done.stdout, rf"(?m)^✓ notices-{told_by_a_frame} ")


if __name__ == "__main__":
    lab.main()
