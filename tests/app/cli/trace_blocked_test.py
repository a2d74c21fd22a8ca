#!/usr/bin/env python3
"""Checks which calls `tcplab trace` says have blocked: those that slept, and no others."""
import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import lab
from traced import CONNECTED, events, python, returns, trace

# Quick calls until standard input ends.
QUICK = """
import select, socket
s = socket.socket()
print("now", flush=True)
while not select.select([0], [], [], 0)[0]:
    for i in range(100): s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
"""


def stop_and_continue(process):
    """Holds a process for a moment, as a busy machine does."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    time.sleep(0.002)
    process.send_signal(signal.SIGCONT)


class Blocked(unittest.TestCase):
    def test_a_blocked_call_is_told_when_it_blocks_and_never_interrupted(self):
        timeout = CONNECTED + ("b.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, "
                             "(0).to_bytes(8, 'little') + (200000).to_bytes(8, 'little'))\n"
                             "try: b.recv(1)\nexcept BlockingIOError: print('EAGAIN')")
        found, done = events(python(timeout))
        self.assertEqual(done.stdout, "EAGAIN\n", done.stderr)
        receive = [event for event in found if event.get("call") == "recvfrom"]
        self.assertEqual([event["phase"] for event in receive], ["enter", "return"])
        self.assertEqual(receive[1]["errno"], "EAGAIN")
        self.assertEqual(receive[0]["t"], receive[1]["entered"])
        self.assertGreaterEqual(receive[1]["t"] - receive[1]["entered"], 200_000_000)

    def test_a_stop_and_its_end_do_not_show_in_the_call(self):
        reader = CONNECTED + """
import os, signal, time
child = os.fork()
if child == 0:
    b.recv(1); print("received", flush=True); os._exit(0)
while open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] != "S": time.sleep(0.01)
os.kill(child, signal.SIGSTOP); os.waitpid(child, os.WUNTRACED)
os.kill(child, signal.SIGCONT); os.waitpid(child, os.WCONTINUED)
c.send(b"x"); sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
        found, done = events(python(reader))
        self.assertEqual((done.stdout, done.returncode), ("received\n", 0), done.stderr)
        self.assertEqual([event["result"] for event in returns(found, "recvfrom")], [1])

    def test_only_calls_that_slept_are_blocked(self):
        works = ("import socket; a, b = socket.socketpair(); s = socket.socket();"
                 "s.bind(('127.0.0.1', 0)); s.listen(1);"
                 "c = socket.create_connection(s.getsockname());"
                 "d = s.accept()[0]; d.settimeout(None); c.settimeout(0.2)\n"
                 "try: c.recv(1)\nexcept TimeoutError: pass\n"
                 "[s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) for i in range(2000)]")
        done = trace(python(works), "-q", "--latency")
        self.assertRegex(done.stderr, r"(?m)^poll = 0, blocked: 1 call, ")
        self.assertNotRegex(done.stderr,
                            r"(?m)^(getsockopt|listen|bind|accept4|socket) = .*blocked")


    def test_a_call_that_has_returned_while_the_tracer_was_held_has_not_blocked(self):
        command = [lab.TCPLAB, "trace", "-q", "--latency", "--", *python(QUICK)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as traced:
            self.assertEqual(traced.stdout.readline(), "now\n")
            for _ in range(300):
                stop_and_continue(traced)
            said = traced.communicate(timeout=60)[1]
        self.assertIn("getsockopt = 0, at once", said)
        self.assertNotIn("blocked", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
