#!/usr/bin/env python3
"""Checks that a kernel which lacks what a host needs ends the run with one line: what is missing,
in the last words of the host. Nothing is left. A program that takes all memory is only killed."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab


GREEDY = """return { title = "Greedy", asks = "Who takes all memory?", run = function(lab)
  local client, server, kang, kodos = lab:connected()
  local greedy = lab:expect(kodos:run("tail", "/dev/zero")):within(60):ends()
  lab:check(greedy.change == "killed" and greedy.code == 9, "SIGKILL ends it")
  client:type "still there?\\n"
  lab:expect(server):call("read"):returns(13)
end }
"""


def runs(program):
    """Returns whether any process runs this program."""
    found = subprocess.run(["pgrep", "-f", str(program)], capture_output=True, check=False)
    return found.returncode == 0


@guests.needs_kernel
class LackingKernels(unittest.TestCase):
    def check_that(self, word, *says, of="linux.uml"):
        """Boots a kernel, Debian's if none is named, with this word on its command line."""
        with lab.Folder() as folder:
            kernel = guests.kernel_with(word, folder, of)
            done = subprocess.run([lab.TCPLAB, "run", "warmup", "--family", "4", "--kernel", kernel,
                                   "--out", Path(folder, "runs")], capture_output=True, text=True,
                                  timeout=300, check=False)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            reason = next(line for line in done.stdout.splitlines() if line.startswith("✗"))
            for text in (f"its kernel {kernel} has ended: ", *says):
                self.assertIn(text, reason)
            self.assertFalse(runs(kernel))

    def test_no_tap(self):
        self.check_that("initcall_blacklist=tun_init", "cannot load the module", "tun.ko")

    def test_no_ipv6(self):
        self.check_that("initcall_blacklist=inet6_init", "cannot load the module", "ipv6.ko")

    def test_a_kernel_that_was_built_without_tap_or_ipv6(self):
        kernel = guests.built_kernel_file()
        self.check_that("initcall_blacklist=tun_init", "this kernel lacks TUN", of=kernel)
        self.check_that("initcall_blacklist=inet6_init", "this kernel lacks IPv6", of=kernel)

    def test_no_packet_sockets(self):
        self.check_that("initcall_blacklist=packet_init", "cannot open the channel")

    def test_too_little_memory(self):
        self.check_that("mem=18M", "Kernel panic - not syncing: System is deadlocked on memory")

    def test_memory_that_cannot_be_executed_in_dev_shm_is_in_tmp(self):
        """Mounts /dev/shm with noexec in a private mount namespace."""
        wrap = ["unshare", "--mount", "sh", "-c",
                "mount -o remount,bind,noexec /dev/shm && exec \"$@\"", "sh"]
        if subprocess.run([*wrap, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("/dev/shm cannot be mounted anew here")
        with lab.Folder() as folder:
            done = subprocess.run([*wrap, lab.TCPLAB, "run", "warmup", "--family", "4", "--kernel",
                                   "6.1"], capture_output=True, text=True, cwd=folder,
                                  timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_program_that_takes_all_memory_is_killed_and_its_host_goes_on(self):
        with lab.Folder() as folder:
            script = Path(folder, "greedy.lua")
            script.write_text(GREEDY, encoding="utf-8")
            run = lab.Run(script, folder, "--kernel", guests.kernel_with("mem=100M", folder))
            self.assertEqual(run.status, 0, run.said())


if __name__ == "__main__":
    lab.main()
