#!/usr/bin/env python3
"""Checks what `tcplab kernels build` takes for a source, and that nothing of a build is left when
it is stopped. In place of make it finds a small program of this test."""
import os
import select
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

MAKE = """#!/bin/sh
case "$*" in
  *kernelrelease) echo 9.9.9 ;;
  *" linux") {compile} ;;
  *) touch .config ;;
esac
"""


def only_child(process):
    """Returns the pid of the script that tcplab has started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return int(children.read_text(encoding="ascii"))


def state_of(pid):
    """Returns "T" if it is stopped (proc_pid_stat(5))."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1][0]


class KernelsBuild(unittest.TestCase):
    def setUp(self):
        folder = lab.Folder()
        self.folder = Path(folder.__enter__())
        self.addCleanup(folder.__exit__, None, None, None)
        self.kernels = self.folder / "cache/tcplab/kernels"
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in ("gcc", "flex", "bison", "bc", "xz"):
            self.program(self.programs / name, "#!/bin/sh\n")
        self.program(self.programs / "make", MAKE.format(compile="echo kernel >linux"))

    def program(self, path, text):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def source(self, name="mysrc"):
        """Makes what looks like the source of Linux."""
        um = self.folder / name / "arch/um"
        um.mkdir(parents=True)
        (um / "Kconfig").write_text("config HZ\n\tdefault 100\n\n", encoding="utf-8")
        scripts = self.folder / name / "scripts"
        scripts.mkdir()
        self.program(scripts / "config", "#!/bin/sh\n")
        return name

    def start(self, source):
        env = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"),
               "PATH": f"{self.programs}:{os.environ['PATH']}"}
        return subprocess.Popen([lab.TCPLAB, "kernels", "build", source], cwd=self.folder, env=env,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def build(self, source):
        with self.start(source) as build:
            out, errors = build.communicate(timeout=60)
        return build.returncode, out, errors

    def left(self):
        return sorted(path.name for path in self.kernels.iterdir()) if self.kernels.exists() else []

    def test_a_folder_or_a_file_of_the_current_folder_needs_no_slash(self):
        status, out, errors = self.build(self.source())
        self.assertEqual((status, errors), (0, ""), out)
        self.assertIn(f"Built {self.kernels}/linux-9.9.9\n", out)
        self.assertEqual(self.left(), ["linux-9.9.9"])
        subprocess.run(["tar", "-cf", "linux.tar", "mysrc"], cwd=self.folder, check=True)
        status, out, errors = self.build("linux.tar")
        self.assertEqual((status, errors), (0, ""), out)

    def test_a_folder_with_the_name_of_a_version_needs_a_slash(self):
        """Of a version whose package is installed."""
        self.source("9.9")
        status, out, errors = self.build("./9.9")
        self.assertEqual((status, errors), (0, ""), out)

    def test_builds_at_the_same_time_do_not_disturb_each_other(self):
        source = self.source()
        builds = [self.start(source) for _ in range(4)]
        for build in builds:
            with build:
                _, errors = build.communicate(timeout=60)
                self.assertEqual((build.returncode, errors), (0, ""))
        self.assertEqual(self.left(), ["linux-9.9.9"])

    def test_a_caller_that_ignores_its_children_changes_nothing(self):
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGCHLD, before)
        with self.start("nowhere") as build:
            _, errors = build.communicate(timeout=60)
        self.assertIn("nowhere: no such file or folder", errors)

    def test_what_is_no_source_is_refused_before_it_is_copied(self):
        (self.folder / "other").mkdir()
        for source, why in (("other", "other is not the source of Linux: it has no arch/um"),
                            ("nowhere", "nowhere: no such file or folder"),
                            ("9.8.7", "no source of Linux 9.8.7; sudo apt install "
                                      "linux-source-9.8.7, or give a folder"),
                            ("/dev/null", "/dev/null is neither a folder nor a file")):
            status, out, errors = self.build(source)
            self.assertEqual((status, out, errors), (2, "", f"tcplab kernels build: {why}\n"))
            self.assertEqual(self.left(), [])

    def test_the_output_of_a_build_that_fails_is_kept(self):
        self.program(self.programs / "make", MAKE.format(compile="echo no luck; exit 1"))
        status, out, errors = self.build(self.source())
        self.assertEqual(status, 1, out)
        self.assertRegex(errors, r"^no luck\ntcplab kernels build: it does not build; all of its "
                                 r"output is in \S+/build.log\n$")
        self.assertEqual(self.left(), ["build.log"])

    def test_a_signal_stops_it_at_once_and_nothing_is_left(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130),
                               (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(signal=number):
                self.stop(number, status)

    def test_it_pauses_as_a_job_of_the_terminal_does(self):
        fifo = self.compile_until_a_signal("tstp")
        with self.start(self.source()) as build, open(fifo, "rb"):
            script = only_child(build)
            build.send_signal(signal.SIGTSTP)
            _, status = os.waitpid(build.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status), status)
            self.await_that(lambda: state_of(script) == "T")
            build.send_signal(signal.SIGCONT)
            self.await_that(lambda: state_of(script) != "T")
            build.send_signal(signal.SIGTERM)
            build.communicate(timeout=60)
        self.assertEqual(build.returncode, 128 + signal.SIGTERM)
        self.assertEqual(self.left(), [])

    def await_that(self, holds):
        """The kernel stops and continues a process soon after the signal, and tells only its
        parent."""
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            os.sched_yield()

    def compile_until_a_signal(self, name):
        """Returns a FIFO that the compiler, a process of its own, opens before it waits."""
        fifo = self.folder / f"fifo-{name}"
        os.mkfifo(fifo)
        self.program(self.programs / "make", MAKE.format(
            compile=f'sh -c "exec 5>{fifo}; tail -f /dev/null"'))
        return fifo

    def test_nothing_of_it_runs_on_if_its_script_is_killed(self):
        self.stop(signal.SIGKILL, 128 + signal.SIGKILL, target=only_child)
        self.assertEqual(len(self.left()), 1)  # its folder
        self.program(self.programs / "make", MAKE.format(compile="echo kernel >linux"))
        self.assertEqual(self.build("source-9")[0], 0)
        self.assertEqual(self.left(), ["linux-9.9.9"])

    def stop(self, number, status, target=lambda build: build.pid):
        fifo = self.compile_until_a_signal(number)
        with self.start(self.source(f"source-{number}")) as build:
            with open(fifo, "rb") as reader:
                script = os.pidfd_open(only_child(build))
                os.kill(target(build), number)
                self.assertEqual(reader.read(), b"", "all processes of the build have ended")
            build.communicate()
        with os.fdopen(script):
            ended, _, _ = select.select([script], [], [], 60)
        self.assertTrue(ended, "its script has ended")
        self.assertEqual(build.returncode, status)
        if target is not only_child:
            self.assertEqual(self.left(), [])

    def test_what_a_killed_build_has_left_is_removed(self):
        left = self.kernels / "build-abcdef"
        left.mkdir(parents=True)
        (left / "file").write_text("x", encoding="utf-8")
        status, out, errors = self.build(self.source())
        self.assertEqual((status, errors), (0, ""), out)
        self.assertEqual(self.left(), ["linux-9.9.9"])


if __name__ == "__main__":
    lab.main()
