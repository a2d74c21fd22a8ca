#!/usr/bin/env python3
"""Traces a 32-bit program: its calls, by numbers of today and by socketcall(2), and what a script
injects into them."""
import platform
import re
import socket
import subprocess
import sys
import threading
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import lab
from traced import events, returns, trace

SOURCE = Path(__file__).parents[3] / "support" / "calls_of_i386.c"
SCRIPT = """return {
  title = "T", asks = "Q?",
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("%s", 8080, "0a000002")
    client:inject("send", { bytes = 3, times = 4 })
    client:type "\\n"
    lab:expect(client):prints "3 3 3 3 done"
    lab:expect(server):prints "123123123123"
  end,
}
"""
# The call, its arguments, its result, and its data or what is ready.
CALLS = [
    ("socket", "AF_INET, SOCK_STREAM", 3, ""),
    ("setsockopt", "SO_RCVTIMEO = 5.25 s", 0, ""),
    ("connect", "HERE", 0, ""),
    ("connect", "HERE", "EISCONN", ""),
    ("sendmsg", "7 bytes, MSG_NOSIGNAL", 7, "one two"),
    ("ppoll", "{fd 3 IN}, timeout 7500 ms", 1, "IN"),
    ("ppoll", "{fd 3 IN}, timeout 8000 ms", 1, "IN"),
    ("select", "{fd 3 IN}, timeout 9000 ms", 1, "IN"),
    ("epoll_ctl", "EPOLL_CTL_ADD, 3, IN", 0, ""),
    ("epoll_wait", "timeout 6000 ms", 1, "IN"),
    ("readv", "64 bytes", 7, "one two"),
    ("write", "5 bytes", 5, "three"),
    ("read", "64 bytes", 5, "three"),
    ("close", "", 0, ""),
    ("socket", "AF_INET, SOCK_STREAM", 3, ""),
    ("connect", "HERE", 0, ""),
    ("sendto", "13 bytes", 13, "four and five"),
    ("recvfrom", "64 bytes", 13, "four and five"),
    ("shutdown", "SHUT_WR", 0, ""),
    ("close", "", 0, ""),
]


def echo(listener):
    """Sends back what comes on each of two connections."""
    for _ in range(2):
        connection, _ = listener.accept()
        with connection:
            while octets := connection.recv(100):
                connection.sendall(octets)


class I386(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if platform.machine() != "x86_64":
            raise unittest.SkipTest("this machine has no i386 code")
        folder = lab.Folder()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.program = cls.folder / "calls"
        subprocess.run(["gcc", "-m32", "-O1", "-nostdlib", "-static", "-ffreestanding", "-fno-pie",
                        "-no-pie", "-fno-stack-protector", "-o", cls.program, SOURCE], check=True)
        try:
            plain = cls.echoed(lambda port: subprocess.run([cls.program, port], check=False,
                                                           capture_output=True, text=True))
        except OSError as error:
            raise unittest.SkipTest(f"this kernel runs no 32-bit programs: {error}") from error
        if plain.stdout != "done\n":
            raise unittest.SkipTest("this kernel has no calls of 32-bit programs")

    @staticmethod
    def echoed(run_at):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            server = threading.Thread(target=echo, args=(listener,), daemon=True)
            server.start()
            return run_at(str(listener.getsockname()[1]))

    def test_every_call_is_recorded(self):
        found, done = self.echoed(lambda port: events([self.program, port]))
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        seen = [(call["call"], re.sub(r"127.0.0.1:\d+", "HERE", call.get("args", "")),
                 call.get("errno", call["result"]), call.get("data", call.get("revents", "")))
                for call in returns(found)]
        self.assertEqual(seen, CALLS)
        read = returns(found, "recvfrom")[0]
        self.assertRegex(read["local"], r"^127\.0\.0\.1:\d+$")

    def test_no_stack_of_64_bit_code_is_taken_for_its_stack(self):
        done = self.echoed(lambda port: trace([self.program, port], "--stack", "EISCONN"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("EISCONN", done.stderr)
        self.assertNotIn("calls+", done.stderr)

    def test_a_script_shortens_its_calls_and_nothing_else(self):
        script = self.folder / "short.lua"
        script.write_text(SCRIPT % self.program, encoding="utf-8")
        done = subprocess.run([lab.TCPLAB, "run", script, "--family", "4", "--out",
                               self.folder / "runs"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    lab.main()
