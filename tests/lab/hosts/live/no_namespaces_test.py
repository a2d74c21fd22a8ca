#!/usr/bin/env python3
"""Checks that tcplab needs no namespaces for kernel hosts, and names these where namespaces are
forbidden."""
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import guests
import lab
import refusal

# A user namespace without capabilities and without the right to make namespaces.
DENY = ["unshare", "--user", "--map-root-user", "sh", "-c",
        "echo 0 > /proc/sys/user/max_user_namespaces && "
        'exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"', "sh"]


@guests.needs_kernel
class NoNamespaces(unittest.TestCase):
    def setUp(self):
        if subprocess.run([*DENY, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("a user namespace without rights cannot be made here")
        folder = lab.Folder()
        self.folder = folder.__enter__()
        self.addCleanup(folder.__exit__, None, None, None)

    def tcplab(self, *arguments, text="", path=None):
        return subprocess.run([*DENY, lab.TCPLAB, *arguments], input=text, capture_output=True,
                              text=True, timeout=300, cwd=self.folder, check=False,
                              env={**os.environ, "PATH": path or os.environ["PATH"],
                                   "XDG_CACHE_HOME": str(self.folder)})

    def test_doctor_names_the_kernel_that_can_run_scenarios(self):
        done = self.tcplab("doctor")
        said = " ".join(done.stdout.split())
        self.assertEqual(done.returncode, 0, said + done.stderr)
        self.assertIn("limited hosts: cannot create a process in new namespaces", said)
        self.assertRegex(said, r"ok kernel hosts: started one on Linux "
                               r"6\.1\.\d+: --kernel 6\.1 ")
        self.assertRegex(said, r"tcplab can run scenarios on this machine, with --kernel 6\.1\.\Z")

    def test_a_run_on_kernel_hosts_does_not_need_clone3(self):
        """Docker's filter answers ENOSYS to clone3(2), and refuses namespaces to clone(2)."""
        command = [*DENY, lab.TCPLAB, "run", "warmup", "--kernel", "6.1", "--family", "4"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                              cwd=self.folder,
                              preexec_fn=refusal.refuse(refusal.CLONE3, refusal.ENOSYS))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_doctor_says_what_to_install(self):
        """No folder of PATH has a kernel, as where the package is not installed."""
        bin_folder = os.path.join(self.folder, "bin")
        os.mkdir(bin_folder)
        for program in ("unshare", "sh", "setpriv"):
            os.symlink(lab.shutil.which(program), os.path.join(bin_folder, program))
        done = self.tcplab("doctor", path=bin_folder)
        said = " ".join(done.stdout.split())
        self.assertEqual(done.returncode, 3, said + done.stderr)
        self.assertIn("missing kernel hosts: no kernel for them is installed; "
                      "they need no privileges fix: sudo apt-get install user-mode-linux", said)
        self.assertTrue(said.endswith("tcplab cannot run scenarios on this machine."), said)

    def test_a_run_and_a_shell_without_namespaces_say_so(self):
        for command in (("run", "warmup"), ("shell",)):
            done = self.tcplab(*command)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"\Atcplab: cannot create a process in new namespaces.*"
                                          r"; or use kernel hosts: "
                                          r"tcplab run --kernel 6\.1\n\Z")

    def test_a_run_and_a_shell_with_kernel_hosts_work(self):
        for command in (("run", "warmup", "--family", "4"), ("shell",)):
            done = self.tcplab(*command, "--kernel", "6.1", text="kang:dnc('-h')\n")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    lab.main()
