#!/usr/bin/env python3
"""Checks that programs on hosts cannot reach the machine, whether tcplab runs as root or as an
ordinary user, on hosts of both kinds, and that they can do what a server needs. The attempts are
the table of tests/support/attempts.py."""
import ctypes
import json
import os
import platform
import select
import shutil
import socket
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import guests
import lab
from users import OrdinaryUser

SECRET = "the-secret-of-the-test"
PARAMETER = "the-parameter-of-the-test"
KEY = f"tcplab-test-{os.getpid()}"
CLEAN = {"PATH", "HOME", "LANG", "TERM"}
# Others, such as EINVAL, would say that an attempt was wrong, not that it was refused.
REFUSALS = {"EPERM", "EACCES", "EROFS", "ENOSYS", "ENOENT", "ENXIO", "ECONNREFUSED", "EAFNOSUPPORT",
            "EPROTONOSUPPORT"}
DEVICE = (1, 8)  # random(4): reading it does no harm
LIBC = ctypes.CDLL(None, use_errno=True)
IPC_CREAT, IPC_RMID = 0o1000, 0
KERNEL = ("--kernel", "6.1")


class Containment(OrdinaryUser):
    def setUp(self):
        super().setUp()
        lab.need("python3")
        support = Path(__file__).resolve().parents[2] / "support"
        for file in (support / "attempts.py", support / "attempt_calls.py",
                     lab.SCRIPTS / "contained.lua"):
            shutil.copy(file, self.home)
        # Neither is below a private folder of hosts.
        self.elsewhere = Path(tempfile.mkdtemp(prefix="tcplab-test-", dir=self.outside()))
        self.addCleanup(shutil.rmtree, self.elsewhere, True)
        self.elsewhere.chmod(0o777)
        in_tmp = Path(tempfile.mkdtemp(prefix="tcplab-test-"))
        self.addCleanup(shutil.rmtree, in_tmp, True)
        in_tmp.chmod(0o755)
        (in_tmp / "file").write_text("of the machine", encoding="utf-8")
        (self.elsewhere / "own").write_text("of the machine", encoding="utf-8")
        (self.elsewhere / "own").chmod(0o666)
        os.mkfifo(self.elsewhere / "fifo")
        (self.elsewhere / "fifo").chmod(0o666)
        self.fifo = os.open(self.elsewhere / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, self.fifo)
        self.target = {"secret": SECRET, "parameter": PARAMETER, "file": str(in_tmp / "file"),
                       "own": str(self.elsewhere / "own"), "fifo": str(self.elsewhere / "fifo"),
                       "out": str(self.home / "runs"), "device": DEVICE, "key": KEY}
        self.make_servers(in_tmp)
        self.make_node()
        self.make_ipc()
        self.make_key()
        (self.home / "target.json").write_text(json.dumps(self.target), encoding="utf-8")

    @staticmethod
    def outside():
        """A folder that an ordinary user can read, outside of the private folders of hosts."""
        return next(folder for folder in ("/srv", "/opt", "/var/lib") if os.access(folder, os.W_OK))

    def listen(self, family, address, kind=socket.SOCK_STREAM):
        server = socket.socket(family, kind)
        self.addCleanup(server.close)
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen(64)
        if family == socket.AF_UNIX and address[0] == "/":
            os.chmod(address, 0o777)
        return server

    def make_servers(self, in_tmp):
        abstract = f"tcplab-test-{os.getpid()}"
        self.target |= {"abstract": abstract, "socket": str(in_tmp / "socket"),
                        "server": str(self.elsewhere / "server"),
                        "datagram": str(self.elsewhere / "datagram")}
        for path in (self.target["socket"], self.target["server"], str(self.home / "socket"),
                     "\0" + abstract):
            self.listen(socket.AF_UNIX, path)
        self.listen(socket.AF_UNIX, self.target["datagram"], socket.SOCK_DGRAM)
        server = self.listen(socket.AF_INET, ("127.0.0.1", 0))
        self.target["port"] = server.getsockname()[1]

    def make_node(self):
        """A device node outside of /dev, as in the folder of a chroot. Only root can make one."""
        node = self.elsewhere / "node"
        if os.geteuid() == 0:
            os.mknod(node, 0o20666, os.makedev(*DEVICE))
            node.chmod(0o666)
        self.target["node"] = str(node)

    def make_ipc(self):
        key = os.getpid()
        self.target["ipc_key"] = key
        for make, remove, arguments in (("shmget", "shmctl", (4096, IPC_CREAT | 0o666)),
                                        ("semget", "semctl", (1, IPC_CREAT | 0o666)),
                                        ("msgget", "msgctl", (IPC_CREAT | 0o666,))):
            made = getattr(LIBC, make)(key, *arguments)
            self.assertNotEqual(made, -1, os.strerror(ctypes.get_errno()))
            words = (0, IPC_RMID) if make == "semget" else (IPC_RMID, None)
            self.addCleanup(getattr(LIBC, remove), made, *words)

    def make_key(self):
        """A key of root's user keyring (add_key(2), keyctl(2))."""
        if platform.machine() != "x86_64" or os.geteuid() != 0:
            return
        add_key, keyctl, unlink, users = 248, 250, 9, ctypes.c_long(-4)
        key = LIBC.syscall(add_key, b"user", KEY.encode(), b"x", 1, users)
        if key != -1:  # the machine may have none
            self.addCleanup(LIBC.syscall, keyctl, unlink, key, users)

    def attempts(self, run):
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        events = self.home / "runs/contained-ipv4/events.jsonl"
        wrote = {"python3": "", "python3-2": "", "env": ""}
        for event in map(json.loads, events.read_text("utf-8").splitlines()):
            if event.get("stream") == "stdout":
                wrote[event["program"]] += event["text"]
        environment = [line.split("=")[0] for line in wrote["env"].splitlines()]
        seen = {**json.loads(wrote["python3"]), "environment": environment}
        other = json.loads(wrote["python3-2"])["forbidden"]
        seen["forbidden"] |= {f"{name}, with user namespaces": came for name, came in other.items()}
        return seen

    def is_contained(self, seen):
        self.assertEqual({name: came for name, came in seen["forbidden"].items()
                          if came not in REFUSALS}, {})
        self.assertEqual({name: came for name, came in seen["allowed"].items() if came != "done"},
                         {})
        names = {name for name in seen["environment"] if not name.startswith("LC_")}
        self.assertLessEqual(names, CLEAN)
        self.assertEqual(select.select([self.fifo], [], [], 0)[0], [], "the FIFO has got nothing")
        self.assertEqual((self.elsewhere / "own").read_text("utf-8"), "of the machine")

    def run_it(self, *options, as_root):
        arguments = ["run", "contained.lua", "--family", "4", "--out", self.home / "runs",
                     "--set", f"token={PARAMETER}", *options]
        run = self.as_root if as_root else self.as_user
        return run(*arguments, env={"TCPLAB_SECRET": SECRET})

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_the_machine_is_safe_from_programs_that_run_as_root(self):
        self.is_contained(self.attempts(self.run_it(as_root=True)))

    def test_the_machine_is_safe_from_programs_of_an_ordinary_user(self):
        self.is_contained(self.attempts(self.run_it(as_root=False)))

    @guests.needs_kernel
    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_so_it_is_from_root_on_a_host_with_a_kernel_of_its_own(self):
        self.use_guests()
        self.is_contained(self.attempts(self.run_it(*KERNEL, as_root=True)))

    @guests.needs_kernel
    def test_so_it_is_from_a_user_on_a_host_with_a_kernel_of_its_own(self):
        self.use_guests()
        self.is_contained(self.attempts(self.run_it(*KERNEL, as_root=False)))

    def use_guests(self):
        for part in ("tcplab-agent", "tcplab-guest.so"):
            shutil.copy(lab.BIN / part, self.home)

    def test_trusted_programs_can_do_what_the_user_can(self):
        possible = {"write to the working folder", "write to the output folder", "mount",
                    "see the secret in an environment", "read the machine's /tmp",
                    "reach a UNIX socket in /tmp", "make a user namespace"}
        # The network and the processes of a host are its own all the same.
        impossible = {"reach an abstract socket", "reach the machine's network",
                      "reach shared memory", "see processes"}
        self.target["only"] = sorted(possible | impossible)
        (self.home / "target.json").write_text(json.dumps(self.target), encoding="utf-8")
        seen = self.attempts(self.run_it("--trust", as_root=os.geteuid() == 0))
        done = {name for name, came in seen["forbidden"].items() if came == "done"}
        self.assertEqual(done, possible)
        self.assertIn("TCPLAB_SECRET", seen["environment"])


class UserNamespaces(lab.LinesTest):
    def test_a_program_gets_one_only_if_the_script_asks(self):
        lab.need("unshare")
        self.run_lines(
            'lab:expect(kang:run("unshare", "--user", "true")):prints "Operation not permitted"\n'
            'local second = kang:run{ "unshare", "--user", "true", user_namespaces = true }\n'
            'lab:expect(second):exits(0)\n'
            'local third = kang:run{ "unshare", "--user", "--cgroup", "true", '
            'user_namespaces = true }\n'
            'lab:expect(third):prints "Operation not permitted"')

    def test_a_wrong_option_is_refused(self):
        run = self.run_lines('kang:run{ "true", user_namespaces = 1 }', status=2)
        self.assertIn("`user_namespaces` must be a boolean, not a number", run.said())


if __name__ == "__main__":
    lab.main()
