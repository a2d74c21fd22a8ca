#!/usr/bin/env python3
"""Checks tcplab kernels: which kernels it lists, and how it builds one. The source is a small one
that these tests make: Linux takes minutes to build."""
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab

KERNEL = "Linux version %s (%s)\numl_dir=<directory>\nLinux version 7.8.9 (who@where) #1\n"
MAKEFILE = """x86_64_defconfig:
	@cat arch/um/Kconfig
olddefconfig:
	@sed -n 's/^-e \\(.*\\)/CONFIG_\\1=y/p' asked | grep -v NF_TABLES_IPV6 >.config
linux:
	@test $(ARCH) = um
	@cp kernel linux && chmod +x linux
kernelrelease:
	@echo 7.8.9
"""
TOOLS = ("make", "gcc", "flex", "bison", "bc", "xz")


class Kernels(unittest.TestCase):
    def setUp(self):
        self.home = lab.Folder()
        self.addCleanup(self.home.cleanup)
        self.folder = Path(self.home.name)
        self.built = self.folder / "cache/tcplab/kernels"
        self.source = self.folder / "linux-source"
        for name, text in (("arch/um/Kconfig", "config HZ\n\tint\n\tdefault 100\n"),
                           ("Makefile", MAKEFILE), ("kernel", KERNEL),
                           ("scripts/config", "#!/bin/sh\necho $* >>asked\n")):
            self.write(self.source / name, text)
        for tool in TOOLS[1:]:  # those that this source does not use
            self.write(self.folder / "bin" / tool, "#!/bin/sh\n")

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def environment(self, path=None):
        path = path or f"{self.folder}/bin:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def kernels(self, *arguments, path=None):
        return subprocess.run([lab.TCPLAB, "kernels", *arguments], capture_output=True, text=True,
                              timeout=300, check=False, env=self.environment(path))

    def assert_refused(self, run, *words, status=2):
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertEqual(list(self.built.glob("*")), [])

    def test_a_kernel_that_was_built_is_listed(self):
        run = self.kernels("build", self.source)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        kernel = self.built / "linux-7.8.9"
        self.assertIn(f"Built {kernel}", run.stdout)
        self.assertIn("This version of Linux lacks NF_TABLES_IPV6\n", run.stdout)
        self.assertEqual([each.name for each in self.built.iterdir()], [kernel.name])
        line = [line for line in self.kernels().stdout.splitlines() if line.startswith("7.8 ")]
        self.assertEqual(len(line), 1)
        self.assertIn(str(kernel), line[0])
        self.assertFalse((self.source / "asked").exists(), "the source has changed")

    def test_the_newest_of_a_version_is_first(self):
        for release in ("7.8.9", "7.8.10"):
            self.write(self.built / f"linux-{release}", KERNEL.replace("7.8.9", release))
        releases = [line.split()[1] for line in self.kernels().stdout.splitlines()
                    if line.startswith("7.8 ")]
        self.assertEqual(releases, ["7.8.10", "7.8.9"])

    def test_an_interrupted_build_leaves_nothing(self):
        started = self.folder / "started"
        os.mkfifo(started)
        # One process: a shell that has just started a program may swallow the signal.
        self.write(self.source / "Makefile",
                   MAKEFILE.replace("@test $(ARCH) = um", f"@exec sleep 600 >{started}"))
        build = subprocess.Popen([lab.TCPLAB, "kernels", "build", self.source],
                                 env=self.environment(), start_new_session=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(started, "rb"):  # waits until it compiles
            pass
        os.killpg(build.pid, signal.SIGINT)  # as Ctrl-C does
        self.assertNotEqual(build.wait(timeout=60), 0)
        self.assertEqual(list(self.built.iterdir()), [])

    def test_a_failed_build_leaves_only_its_output(self):
        self.write(self.source / "Makefile",
                   MAKEFILE.replace("@test $(ARCH) = um", "@echo no stack.h >&2; false"))
        run = self.kernels("build", self.source)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("no stack.h", run.stderr)
        self.assertIn(f"all of its output is in {self.built}/build.log", run.stderr)
        self.assertEqual([each.name for each in self.built.iterdir()], ["build.log"])
        self.assertIn("default 250", (self.built / "build.log").read_text(encoding="utf-8"))

    def test_what_is_no_source_is_refused(self):
        self.assert_refused(self.kernels("build", "0.9"), "sudo apt install linux-source-0.9")
        self.assert_refused(self.kernels("build", "/nowhere/linux"), "/nowhere/linux: no such file")
        self.assert_refused(self.kernels("build", self.folder / "bin"),
                            "is not the source of Linux")

    def test_a_missing_tool_is_named(self):
        (self.folder / "bin/flex").unlink()
        for tool in ("make", "tar", "sh"):
            (self.folder / "bin" / tool).unlink(missing_ok=True)
            (self.folder / "bin" / tool).symlink_to(f"/bin/{tool}")
        run = self.kernels("build", self.source, path=str(self.folder / "bin"))
        self.assert_refused(run, "there is no flex", "sudo apt install")

    def test_other_words_are_refused(self):
        for words in (("build",), ("make", "6.12"), ("6.12",)):
            self.assert_refused(self.kernels(*words), "tcplab kernels build 6.12")


if __name__ == "__main__":
    lab.main()
