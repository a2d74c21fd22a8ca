#!/usr/bin/env python3
"""Looks at core files: in which calls the threads were, and in which functions."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lab
import pythons
import schemas
from cores import allow_cores, require_core_files

CLIENT = """\
import socket, threading

def fetch(client):
    return client.recv(100)

def business(client):
    fetch(client)

listener = socket.create_server(("127.0.0.1", 0))
first, second = (socket.create_connection(listener.getsockname()) for _ in range(2))
thread = threading.Thread(target=business, args=[second])
thread.start()
print(thread.native_id, flush=True)
business(first)
"""
NATIVE = """\
#include <stdio.h>
#include <sys/socket.h>

#define APART __attribute__((noinline))

APART static int fetch(int fd) { char answer; return recv(fd, &answer, 1, 0) + 1; }
APART static int business(int fd) { return fetch(fd) + 2; }

int main(void) {
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  puts("0");
  fflush(stdout);
  return business(pair[0]);
}
"""


def look(path, *options, **more):
    return subprocess.run([lab.TCPLAB, "look", path, *options], capture_output=True, text=True,
                          check=False, timeout=120, **more)


def waits_in_recv(process):
    call = pathlib.Path(f"/proc/{process}/syscall").read_text(encoding="ascii").split()[0]
    return call in ("45", "207")  # recvfrom on x86-64 and arm64


class Cores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require_core_files()

    def core_of(self, folder, *command):
        """Runs a program until it waits, ends it with SIGABRT, and returns its core file, its
        number and what it printed."""
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True,
                                   preexec_fn=allow_cores)
        printed = process.stdout.readline()
        threads = {process.pid, int(printed) or process.pid}
        lab.wait_for(lambda: all(waits_in_recv(f"{process.pid}/task/{one}") for one in threads))
        process.send_signal(signal.SIGABRT)
        process.wait()
        process.stdout.close()
        core = next(file for file in folder.iterdir() if file.name.startswith("core"))
        return core, process.pid, int(printed)

    def test_the_functions_of_python_are_in_the_core(self):
        for version, programs in pythons.found().items():
            with self.subTest(version=version), lab.Folder() as folder:
                (folder / "client.py").write_text(CLIENT, encoding="utf-8")
                core, pid, other = self.core_of(folder, programs[0], folder / "client.py")
                done = look(core, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                looked = schemas.checked(done.stdout)
                self.assertEqual([looked["pid"], looked["runtime"]], [pid, f"Python {version}"])
                self.assertIn("client.py", looked["command"])
                self.assertEqual(looked["signal"], "SIGABRT")
                threads = {each["tid"]: each for each in looked["threads"]}
                self.check(threads[pid], ["fetch:4", "business:7", "<module>:14"])
                self.check(threads[other], ["fetch:4", "business:7"])

    def check(self, thread, expected):
        self.assertRegex(thread["call"], r"^recvfrom\(\d+, 100 bytes\)$")
        names = [re.sub(r"^(.*) \(.*client\.py:(\d+)\)$", r"\1:\2", frame)
                 for frame in thread["frames"] if "client.py" in frame]
        self.assertEqual(names, expected, thread)

    def test_native_functions_are_in_the_core(self):
        lab.need("cc")
        with lab.Folder() as folder:
            (folder / "five.c").write_text(NATIVE, encoding="utf-8")
            subprocess.run(["cc", "-O1", "-o", "five", "five.c"], check=True, cwd=folder)
            core, pid, _ = self.core_of(folder, folder / "five")
            text = look(core).stdout
        ended = r"was in recvfrom\(3, 1 bytes\), ended by SIGABRT"
        self.assertRegex(text, rf"(?m)^  thread {pid} {ended}$")
        self.assertRegex(text, r"(?s)at fetch.*at business.*at main")
        self.assertIn("A core file has no sockets", text)

    def test_a_core_that_is_cut_off_gets_one_line(self):
        lab.need("cc")
        with lab.Folder() as folder:
            (folder / "five.c").write_text(NATIVE, encoding="utf-8")
            subprocess.run(["cc", "-O1", "-o", "five", "five.c"], check=True, cwd=folder)
            core, _, _ = self.core_of(folder, folder / "five")
            whole = core.stat().st_size
            for size in (whole // 2, 2000, 100, 63, 5):
                os.truncate(core, size)
                done = look(core)
                with self.subTest(size=size):
                    self.assertIn(done.returncode, (0, 2))
                    self.assertLessEqual(len(done.stderr.splitlines()), 1, done.stderr)


class Mistakes(unittest.TestCase):
    def test_a_file_that_is_no_core(self):
        with lab.Folder() as folder:
            (folder / "core.1").write_text("hello", encoding="utf-8")
            self.refused(look(folder / "core.1"), "is no core file")
        self.refused(look(shutil.which("true")), "is no core file")

    def test_a_file_that_is_not_there(self):
        self.refused(look("/nowhere/core.1"), "a core file")

    def test_a_core_cannot_be_watched(self):
        self.refused(look(shutil.which("true"), "--watch"), "--watch is for processes")

    def refused(self, done, text):
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(text, done.stderr)


if __name__ == "__main__":
    lab.main()
