#!/usr/bin/env python3
"""Checks what `tcplab doctor` says about tracing, where the kernel allows it and where not."""
import os
import platform
import re
import subprocess
import tempfile
import unittest

import lab
import refusal
import schemas


def doctor(about="tracing of programs", wrap=(), **more):
    """Returns what it says about that, without the breaks of lines, and its exit status."""
    done = subprocess.run([*wrap, lab.TCPLAB, "doctor"], capture_output=True, text=True,
                          check=False, timeout=300, **more)
    said = " ".join(done.stdout.split())
    return re.search(rf"(ok|limited|missing) {about}: .*?(?= (ok|limited|missing) )",
                     said)[0], done.returncode


# Makes a root folder of the machine's programs, without /proc and /dev. Then does $2 there.
ROOT_FOLDER = """
set -e
mount -t tmpfs tmpfs "$1"
cd "$1"
mkdir usr etc proc dev sys tmp mnt
mount --rbind /usr usr
mount --rbind /etc etc
for name in bin sbin lib lib64; do [ ! -L /$name ] || ln -s usr/$name $name; done
mkdir -p ".$3"
mount --bind "$3" ".$3"
eval "$2"
cd /
exec "$3/tcplab" doctor
"""


@unittest.skipIf(os.geteuid() != 0, "only root can call chroot(2)")
class RootFolder(unittest.TestCase):
    def doctor(self, then):
        with tempfile.TemporaryDirectory(prefix="tcplab-test-") as folder:
            done = subprocess.run(["unshare", "--mount", "sh", "-c", ROOT_FOLDER, "sh", folder,
                                   then, os.path.dirname(os.path.realpath(lab.TCPLAB))],
                                  capture_output=True, text=True, check=False, timeout=300)
        return " ".join(done.stdout.split()), done.stderr, done.returncode

    def test_a_missing_proc_is_named_with_a_fix(self):
        self.assertEqual(self.doctor('exec chroot . "$3/tcplab" doctor'), (
            "", "tcplab: /proc is not mounted; run: mount -t proc proc /proc\n", 3))

    def test_a_chroot_is_named_with_the_command_to_use_instead(self):
        for mounts in ["", "mount --rbind /dev dev; mount --rbind /sys sys; "]:
            said, _, _ = self.doctor("mount -t proc proc proc; " + mounts +
                                     'exec chroot . "$3/tcplab" doctor')
            self.assertRegex(said, r"(limited|missing) hosts: this is a chroot, and hosts would "
                                   r"have the files outside it fix: instead of chroot DIR: "
                                   r"unshare -m sh -c '.*pivot_root")

    def test_a_missing_dev_is_named_with_a_fix(self):
        enter = "pivot_root . mnt; mount -t proc proc /proc; umount -l /mnt"
        said, _, _ = self.doctor(enter)
        self.assertRegex(said, "(limited|missing) hosts: /dev/null is missing fix: mount -t "
                               "devtmpfs dev /dev ")
        said, errors, status = self.doctor("mount --rbind /dev dev; " + enter)
        self.assertIn("ok hosts: started two hosts", said)
        self.assertEqual((errors, status), ("", 0))


class Doctor(unittest.TestCase):
    def test_tracing_works_here(self):
        self.assertEqual(doctor(), ("ok tracing of programs: tcplab can record the calls of any "
                                    "program", 0))

    @unittest.skipUnless(platform.machine() == "x86_64", "the numbers of calls are x86-64's")
    def test_what_a_container_refuses_is_named_with_a_fix(self):
        for call, word in [(refusal.PTRACE, "ptrace"), (refusal.PIDFD_GETFD, "pidfd_getfd")]:
            said, status = doctor(preexec_fn=refusal.refuse(call))
            self.assertRegex(said, rf"^limited tracing of programs: {word}\(2\) is refused; .*"
                                   r"watch = false fix: docker run --cap-add SYS_PTRACE \.\.\.$")
            self.assertEqual(status, 0)

    @unittest.skipUnless(platform.machine() == "x86_64", "the numbers of calls are x86-64's")
    def test_json_has_the_same_checks(self):
        done = subprocess.run([lab.TCPLAB, "doctor", "--json"], capture_output=True, text=True,
                              check=False, timeout=300, preexec_fn=refusal.refuse(refusal.PTRACE))
        found = schemas.checked(done.stdout)
        self.assertEqual((found["format"], found["can_run"]), ("tcplab-doctor", True))
        checks = {check["what"]: check for check in found["checks"]}
        self.assertEqual(checks["hosts"], {"what": "hosts", "health": "ok",
                                           "found": "started two hosts"})
        self.assertEqual((checks["tracing of programs"]["health"],
                          checks["tracing of programs"]["fix"]),
                         ("limited", "docker run --cap-add SYS_PTRACE ..."))
        self.assertEqual(done.returncode, 0)

    def test_programs_are_contained_here(self):
        self.assertEqual(doctor("containment of programs"),
                         ("ok containment of programs: programs on hosts cannot reach the machine",
                          0))

    @unittest.skipIf(os.geteuid() != 0, "only root can mount a file system on the machine")
    def test_a_folder_that_cannot_be_contained_is_named(self):
        """The kernel allows no overlayfs over a procfs."""
        with lab.Folder() as folder:
            place = tempfile.mkdtemp(prefix="tcplab-test-", dir="/srv")
            self.addCleanup(os.rmdir, place)
            said, status = doctor("containment of programs", cwd=folder, wrap=[
                "unshare", "--mount", "sh", "-c", f'mount -t proc proc {place} && exec "$@"', "sh"])
        self.assertEqual(said, f"limited containment of programs: overlayfs refuses {place}: "
                               "programs can connect to UNIX sockets there, and write into FIFOs")
        self.assertEqual(status, 0)

    @unittest.skipUnless(platform.machine() == "x86_64", "the numbers of calls are x86-64's")
    def test_a_kernel_without_landlock_is_named(self):
        said, status = doctor("containment of kernel hosts",
                              preexec_fn=refusal.refuse(refusal.LANDLOCK_CREATE_RULESET))
        self.assertIn("limited containment of kernel hosts: this kernel has no "
                      "Landlock", said)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    lab.main()
