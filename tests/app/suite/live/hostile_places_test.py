#!/usr/bin/env python3
"""Checks where runs write, what a GitHub runner would obey, and what is said when the machine's
limits are reached."""
import os
import re
import resource
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from users import NOBODY, OrdinaryUser

EMPTY = 'return { title = "t", asks = "?", run = function(lab) end }'
PAIR = 'return { title = "t", asks = "?", run = function(lab) lab:pair() end }'
FAILS = ('return { title = "t", asks = "?", run = function(lab)\n'
         '  lab:expect_between(300, 1, 2, "%s")\nend }')
COMMAND = "\\n::stop-commands::x\\n::error::pwned\\n##[group]pwned\\n"


class Places(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "empty.lua").write_text(EMPTY)

    def run_it(self, *options, script="empty.lua", env=None, **more):
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.run([lab.TCPLAB, "run", script, "--family", "4", *options],
                              stdout=subprocess.PIPE, text=True, cwd=self.folder, timeout=300,
                              check=False, env={**os.environ, **(env or {})}, **more)

    @unittest.skipIf(os.geteuid() != 0, "only root can make a link of another user")
    def test_a_symbolic_link_of_another_user_is_refused(self):
        precious = self.folder / "precious/empty-ipv4/events.jsonl"
        precious.parent.mkdir(parents=True)
        precious.write_text("precious")
        for link, target in [("runs", "precious"), ("own/empty-ipv4", "../precious/empty-ipv4")]:
            (self.folder / link).parent.mkdir(exist_ok=True)
            (self.folder / link).symlink_to(target)
            os.lchown(self.folder / link, NOBODY, NOBODY)
            for option in ["--out", "--html"]:
                with self.subTest(link=link, option=option):
                    done = self.run_it(option, link.split("/", maxsplit=1)[0] if option == "--out"
                                       else link)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertIn(f"is a symbolic link of another user (ID {NOBODY})", done.stderr)
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            (self.folder / link).unlink()
        self.assertEqual(precious.read_text(), "precious")

    @unittest.skipIf(os.geteuid() != 0, "only root can make a link of another user")
    def test_a_document_never_goes_through_a_link_of_another_user(self):
        (self.folder / "precious").mkdir()
        (self.folder / "precious/file").write_text("precious")
        (self.folder / "link").symlink_to("precious")
        os.lchown(self.folder / "link", NOBODY, NOBODY)
        for option in ("--junit", "--tap", "--markdown", "--results"):
            with self.subTest(option):
                done = self.run_it(option, "link/new")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(f"is a symbolic link of another user (ID {NOBODY})", done.stderr)
                (self.folder / "document").symlink_to("precious/file")
                os.lchown(self.folder / "document", NOBODY, NOBODY)
                done = self.run_it(option, "document")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                (self.folder / "document").unlink()
        self.assertEqual((self.folder / "precious/file").read_text(), "precious")
        self.assertEqual(os.listdir(self.folder / "precious"), ["file"])

    def test_a_document_goes_through_a_link_of_ones_own(self):
        """/dev/stdout is such a link. It stays."""
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")
        done = self.run_it("--junit", "stdout")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("<testsuites", done.stdout)
        self.assertTrue((self.folder / "stdout").is_symlink())

    @unittest.skipIf(os.geteuid() != 0, "only root can make a link of another user")
    def test_a_link_in_place_of_a_file_is_replaced(self):
        names = ["events.jsonl", "capture.pcapng", "transcript.txt", "failure.txt"]
        (self.folder / "runs/fails-ipv4").mkdir(parents=True)
        (self.folder / "fails.lua").write_text(FAILS % "on purpose")
        (self.folder / "precious").write_text("precious")
        for name in names:
            (self.folder / "runs/fails-ipv4" / name).symlink_to(self.folder / "precious")
            os.lchown(self.folder / "runs/fails-ipv4" / name, NOBODY, NOBODY)
        done = self.run_it(script="fails.lua")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual((self.folder / "precious").read_text(), "precious")
        for name in names:
            self.assertFalse((self.folder / "runs/fails-ipv4" / name).is_symlink(), name)

    def test_ones_own_link_is_followed(self):
        (self.folder / "elsewhere").mkdir()
        (self.folder / "runs").symlink_to("elsewhere")
        self.assertEqual(self.run_it().returncode, 0)
        self.assertTrue((self.folder / "elsewhere/empty-ipv4/events.jsonl").is_file())

    def test_nobody_else_may_write_the_results(self):
        done = self.run_it("--html", "pages", "--junit", "j.xml", "--results", "r.json",
                           preexec_fn=lambda: os.umask(0))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        made = [path for path in self.folder.rglob("*") if path.name != "empty.lua"]
        self.assertGreater(len(made), 7, made)
        for path in made:
            self.assertEqual(path.stat().st_mode & 0o002, 0, path)

    def test_names_that_lead_out_of_the_folder_are_refused(self):
        for name in ["...lua", "..x.lua"]:
            (self.folder / name).write_text(EMPTY)
            done = self.run_it("--out", "deep/er/runs", script=f"./{name}")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("rename the file", done.stderr)
        self.assertEqual(list(self.folder.glob("deep/**/*.jsonl")), [])

    def test_a_github_runner_obeys_only_our_own_commands(self):
        (self.folder / "fails.lua").write_text(FAILS % COMMAND)
        for options in [[], ["--live"], ["--json"], ["--tap", "-"], ["--markdown", "-"]]:
            with self.subTest(options):
                done = self.run_it(*options, script="fails.lua", env={"GITHUB_ACTIONS": "true"},
                                   stderr=subprocess.STDOUT)  # the runner reads both
                self.assertEqual(done.returncode, 1, done.stdout)
                obeyed, token = [], None
                for line in done.stdout.splitlines():
                    if token is None and line.strip().startswith("::"):
                        obeyed.append(line.strip())
                        stop = re.fullmatch("::stop-commands::(tcplab-[0-9a-f]{32})", line.strip())
                        token = stop and stop[1]
                    elif token and line.strip() == f"::{token}::":
                        token = None
                self.assertIsNone(token)
                kinds = [command.split("::")[1].split(" ")[0] for command in obeyed]
                self.assertEqual(kinds, ["stop-commands"] * (len(kinds) - 1) + ["error"], obeyed)
                self.assertIn("title=fails", obeyed[-1])

    def test_check_finds_names_that_hosts_cannot_have(self):
        (self.folder / "hosts.lua").write_text(
            'return { title = "t", asks = "?", run = function(lab)\n'
            '  lab:hosts{ "kang", "10.0.0.7\\nevil" }\nend }')
        done = subprocess.run([lab.TCPLAB, "check", "hosts.lua"], capture_output=True, text=True,
                              cwd=self.folder, check=False, timeout=300)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn('hosts.lua:2: lab:hosts: "10.0.0.7\\nevil" cannot be the name of a host',
                      done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_too_few_descriptors_are_named(self):
        (self.folder / "pair.lua").write_text(PAIR)
        for limit in [8, 12, 20]:
            done = self.run_it(script="pair.lua", preexec_fn=lambda n=limit: resource.setrlimit(
                resource.RLIMIT_NOFILE, (n, n)))
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            said = done.stdout + done.stderr
            self.assertIn(f"the limit of open files is {limit}; raise it with: ulimit -n", said)
            self.assertNotIn("filesystem error", said)
            self.assertNotIn("user namespaces", said)
            self.assertNotIn("kernel hosts", said)  # they need more descriptors


LONELY = 64321  # no other process has this user; kernel hosts of other tests run as nobody


class Processes(OrdinaryUser):
    def test_too_few_processes_are_named(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to run as a user without other processes")
        os.chown(self.home, LONELY, LONELY)
        (self.home / "empty.lua").write_text(EMPTY)
        for most in [1, 2]:
            done = subprocess.run(
                ["prlimit", f"--nproc={most}", "setpriv", f"--reuid={LONELY}", f"--regid={LONELY}",
                 "--clear-groups", self.home / "tcplab", "run", "empty.lua"],
                capture_output=True, text=True, cwd=self.home, check=False, timeout=300)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            said = done.stdout + done.stderr
            self.assertIn("the limit of processes is reached: "
                          f"that of the user (ulimit -u) is {most}", said)
            self.assertNotIn("user namespaces", said)


if __name__ == "__main__":
    lab.main()
